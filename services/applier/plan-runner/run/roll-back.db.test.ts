import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { actionCatalogue, createActionRegistry } from '#libs/actions';
import type { ActionPlugin } from '#libs/plugin-kit';
import { createFakeCloud } from '#tests';
import { useApplierBench } from '../../testing/applier-bench.ts';

const bench = await useApplierBench();

const nop = actionCatalogue.find(({ name }) => name === 'nop') as ActionPlugin;
const cloud = createFakeCloud({ hosts: [] });
const unreadable: ActionPlugin = {
  ...nop,
  name: 'unreadable',
  revertible: 'exact',
  async execute() {
    throw new Error('the cloud said no');
  },
  async probe() {
    throw new Error('nobody may look');
  },
};

it('is no success when the effect of a failed action is unknown', async () => {
  const actions = createActionRegistry([...actionCatalogue, unreadable]);
  const plan = await bench.plan([{ type: 'unreadable' }], { onFailure: 'rollback' });
  const end = await bench.run(bench.runner({ cloud, deps: { actions } }), plan);

  expect(end).toMatchObject({ state: 'FAILED', rollback: 'FAILED', rollbacks: ['FAILED'] });
  const [row] = await bench.store.db.actions.listByPlan(plan.uuid);
  expect(row?.rollbackMessage).toBe('Cannot determine whether the action took effect');
});

it('does not undo an action that failed before its start', async () => {
  const unasked: ActionPlugin = {
    ...unreadable,
    async preCondition() {
      throw new Error('not now');
    },
  };
  const actions = createActionRegistry([...actionCatalogue, unasked]);
  const plan = await bench.plan([{ type: 'unreadable' }], { onFailure: 'rollback' });
  const end = await bench.run(bench.runner({ cloud, deps: { actions } }), plan);

  expect(end).toMatchObject({ state: 'FAILED', rollback: 'SUCCEEDED', rollbacks: [null] });
});

it('respects the concurrency limit of the plan', async () => {
  let [running, most] = [0, 0];
  const counted: ActionPlugin = {
    ...nop,
    name: 'counted',
    revertible: 'exact',
    async revert() {
      running += 1;
      most = Math.max(most, running);
      for (let turns = 0; turns < 100; turns += 1) await turn();
      running -= 1;
      return true;
    },
  };
  const actions = createActionRegistry([...actionCatalogue, counted]);
  const specs = [{ type: 'counted' }, { type: 'counted' }, { type: 'counted' }];
  const failing = { input: { message: 'm', fail_execute: true }, after: [0, 1, 2] };
  const plan = await bench.plan([...specs, failing], { onFailure: 'rollback', row: { maxWorkers: 1 } });
  const end = await bench.run(bench.runner({ cloud, deps: { actions } }), plan);

  expect(end).toMatchObject({ rollback: 'SUCCEEDED', rollbacks: ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', null] });
  expect(most).toBe(1);
});
