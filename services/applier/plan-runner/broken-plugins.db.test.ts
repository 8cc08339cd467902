import { describe, expect, it } from 'vitest';
import { actionCatalogue, createActionRegistry } from '#libs/actions';
import type { ActionPlugin } from '#libs/plugin-kit';
import { createFakeCloud } from '#tests';
import { useApplierBench } from '../testing/applier-bench.ts';

const bench = await useApplierBench();

describe('a plugin that does not keep its contract', () => {
  const nop = actionCatalogue.find(({ name }) => name === 'nop') as ActionPlugin;
  const throwing = () => {
    throw new RangeError('the plugin lacks a region');
  };
  const cloud = createFakeCloud({ hosts: [] });

  it('fails its actions with the reason before they do anything, and the plan continues', async () => {
    const started: string[] = [];
    const broken = (name: string, wrong: object): ActionPlugin => ({
      ...nop,
      name,
      execute: async () => started.push(name) > 0,
      ...wrong,
    });
    const plugins = [
      broken('t1', { timeoutMs: throwing }),
      broken('t2', { timeoutMs: () => Number.NaN }),
      broken('o1', { occupies: throwing }),
      broken('o2', { occupies: () => [null] }),
      broken('p1', { preCondition: async () => undefined }),
    ];
    const plan = await bench.plan([...plugins.map(({ name }) => ({ type: name })), { after: [0, 1, 2, 3, 4] }]);
    const actions = createActionRegistry([...actionCatalogue, ...plugins]);

    const end = await bench.run(bench.runner({ cloud, deps: { actions }, options: { failureMinimum: 99 } }), plan);

    expect(end).toMatchObject({ state: 'FAILED', actions: [...plugins.map(() => 'FAILED'), 'SUCCEEDED'] });
    const start = 'Action failed in pre_condition: the plugin of action type';
    expect(end.messages.slice(0, 5)).toEqual([
      `${start} t1 is broken: timeoutMs failed: RangeError: the plugin lacks a region`,
      `${start} t2 is broken: timeoutMs returned no number of milliseconds`,
      `${start} o1 is broken: occupies failed: RangeError: the plugin lacks a region`,
      `${start} o2 is broken: occupies returned no list of names`,
      `${start} p1 is broken: preCondition returned neither a go-ahead nor a reason to skip`,
    ]);
    expect(started).toEqual([]);
    const rows = await bench.store.db.actions.listByPlan(plan.uuid);
    expect(rows.map(({ endReason }) => endReason)).toEqual([...plugins.map(() => 'invalid'), null]);
  });

  it('fails actions that throw or return no boolean, with the message or the kind of the value', async () => {
    const odd = (name: string, execute: () => unknown): ActionPlugin => ({ ...nop, name, execute: execute as never });
    const plugins = [
      odd('e1', async () => {
        throw new TypeError('undefined is not my fault');
      }),
      odd('e2', async () => {
        throw new Error('postgres://vigil:hunter2@db is away\u001b[2J');
      }),
      odd('e3', async () => {
        throw 'a text';
      }),
      odd('e4', async () => 'yes'),
      odd('e5', async () => undefined),
      odd('e6', () => ({ done: true })),
    ];
    const plan = await bench.plan(plugins.map(({ name }) => ({ type: name })));
    const actions = createActionRegistry([...actionCatalogue, ...plugins]);

    const end = await bench.run(bench.runner({ cloud, deps: { actions }, options: { failureMinimum: 99 } }), plan);

    const start = 'Action failed in execute:';
    expect(end.messages).toEqual([
      `${start} TypeError: undefined is not my fault`,
      `${start} Error: postgres://vigil:[hidden]@db is away\\u001b[2J`,
      `${start} a text was thrown, not an Error`,
      `${start} the plugin of action type e4 is broken: execute returned a string, not true or false`,
      `${start} the plugin of action type e5 is broken: execute returned undefined, not true or false`,
      `${start} the plugin of action type e6 is broken: execute returned an object, not true or false`,
    ]);
    const rows = await bench.store.db.actions.listByPlan(plan.uuid);
    expect(rows.map(({ endReason }) => endReason)).toEqual([
      'failed',
      'failed',
      'failed',
      'invalid',
      'invalid',
      'invalid',
    ]);
  });

  it('fails an action that a lost run had started, because its time limit is unknown', async () => {
    const broken: ActionPlugin = { ...nop, name: 'broken', timeoutMs: throwing, probe: async () => 'in_progress' };
    const actions = createActionRegistry([...actionCatalogue, broken]);
    const plan = await bench.plan([{ type: 'broken', state: 'ONGOING' }, {}], { row: { state: 'ONGOING' } });

    const end = await bench.run(bench.runner({ cloud, deps: { actions } }), plan, 'taken_over');

    expect(end).toMatchObject({ state: 'FAILED', actions: ['FAILED', 'SUCCEEDED'] });
    expect(end.messages[0]).toMatch(
      /^Action failed in execute: .* timeoutMs failed: RangeError: the plugin lacks a region$/,
    );
    const [first] = await bench.store.db.actions.listByPlan(plan.uuid);
    expect(first?.endReason).toBe('interrupted');
  });

  it('lets the rollback of the other actions continue, as does a type that is not installed', async () => {
    let isBroken = false;
    const fragile: ActionPlugin = {
      ...nop,
      name: 'fragile',
      revertible: 'exact',
      timeoutMs: () => (isBroken ? throwing() : 60_000),
      async postCondition() {
        isBroken = true;
      },
    };
    const sound: ActionPlugin = { ...nop, name: 'sound', revertible: 'exact', revert: async () => true };
    const actions = createActionRegistry([...actionCatalogue, fragile, sound]);
    const plan = await bench.plan([{ type: 'sound' }, { type: 'fragile' }, { type: 'teleport', after: [0, 1] }], {
      onFailure: 'rollback',
    });
    const end = await bench.run(bench.runner({ cloud, deps: { actions } }), plan);

    expect(end).toMatchObject({ state: 'FAILED', rollback: 'FAILED', rollbacks: ['SUCCEEDED', 'FAILED', null] });
    const [, second] = await bench.store.db.actions.listByPlan(plan.uuid);
    expect(second?.rollbackMessage).toMatch(/timeoutMs failed: RangeError: the plugin lacks a region$/);
  });
});
