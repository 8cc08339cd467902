import { describe, expect, it } from 'vitest';
import { actionCatalogue, createActionRegistry } from '#libs/actions';
import { openGate } from '#libs/dependencies';
import type { ActionContext, ActionPlugin } from '#libs/plugin-kit';
import type { ActionPlanView } from '#libs/store';
import { createFakeCloud } from '#tests';
import { type ApplierBench, moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';

const bench = await useApplierBench();

const skip = { input: { message: 'm', skip_pre_condition: true } };
const fail = (phase: string) => ({ input: { message: 'm', [`fail_${phase}`]: true } });
const runHere = async (plan: Awaited<ReturnType<ApplierBench['plan']>>) =>
  bench.run(bench.runner({ cloud: createFakeCloud({ hosts: [] }) }), plan);

describe("Watcher's outcomes", () => {
  it('all succeed', async () => {
    const plan = await bench.plan([{}, { after: [0] }]);
    const end = await runHere(plan);
    expect(end).toMatchObject({ state: 'SUCCEEDED', message: null, actions: ['SUCCEEDED', 'SUCCEEDED'] });
    const row = await bench.store.db.actionPlans.get(plan.uuid);
    expect(row).toMatchObject({ hostname: 'applier-1', runInstance: null, leaseExpiresAt: null });
  });

  it('some are skipped', async () => {
    const end = await runHere(await bench.plan([skip, { after: [0] }]));
    expect(end).toMatchObject({
      state: 'SUCCEEDED',
      message: 'One or more actions were skipped.',
      actions: ['SKIPPED', 'SUCCEEDED'],
    });
    expect(end.messages[0]).toBe('Action was skipped automatically: Skipped in pre_condition');
  });

  it('all were skipped before by the user', async () => {
    const end = await runHere(await bench.plan([{ state: 'SKIPPED' }, { state: 'SKIPPED', after: [0] }]));
    expect(end).toMatchObject({ state: 'SUCCEEDED', message: 'One or more actions were skipped.' });
  });

  it('one fails in execution and its children run', async () => {
    const plan = await bench.plan([fail('execute'), { after: [0] }]);
    const end = await runHere(plan);
    const [first] = await bench.store.db.actions.listByPlan(plan.uuid);
    expect(end).toMatchObject({ state: 'FAILED', actions: ['FAILED', 'SUCCEEDED'] });
    expect(end.messages[0]).toBe(`Action failed in execute: The action ${first?.uuid} execution failed.`);
  });

  it.each([
    ['pre_condition', 'Action failed in pre_condition: Failed in pre_condition'],
    ['post_condition', 'Action failed in post_condition: Failed in post_condition'],
  ])('one fails in its %s', async (phase, message) => {
    const end = await runHere(await bench.plan([fail(phase)]));
    expect(end).toMatchObject({ state: 'FAILED', actions: ['FAILED'], messages: [message] });
  });

  it('a plan is empty', async () => {
    expect(await runHere(await bench.plan([]))).toMatchObject({ state: 'SUCCEEDED', message: null });
  });

  it('an action type is not installed, parameters are not valid', async () => {
    const end = await runHere(await bench.plan([{ type: 'teleport' }, { input: { wrong: 1 } }]));
    expect(end).toMatchObject({ state: 'FAILED', actions: ['FAILED', 'FAILED'] });
    expect(end.messages[0]).toBe('Action failed in pre_condition: LoadingError');
    expect(end.messages[1]).toMatch(/^Action failed in pre_condition: ValidationError: /);
  });

  it('of alternatives only the first that works is run', async () => {
    const plan = await bench.plan([fail('execute'), { after: [0] }, { after: [1] }, { after: [2] }], {
      strategyName: 'alternatives',
    });
    const options = { executionRules: { alternatives: 'ANY' as const } };
    const end = await bench.run(bench.runner({ cloud: createFakeCloud({ hosts: [] }), options }), plan);
    expect(end.actions).toEqual(['FAILED', 'SUCCEEDED', 'SKIPPED', 'SKIPPED']);
    expect(end.messages[2]).toBe('Action was skipped automatically: a previous alternative action succeeded');
  });
});

it('refuses plans whose actions wait for each other or for unknown actions', async () => {
  const circle = await runHere(await bench.plan([{ after: [1] }, { after: [0] }]));
  expect(circle).toMatchObject({
    state: 'FAILED',
    message: 'Action plan could not be executed: actions wait for each other in a circle',
    actions: ['CANCELLED', 'CANCELLED'],
  });
  const dangling = await runHere(await bench.plan([{ after: [7] }]));
  expect(dangling.message).toMatch(/which is not in the plan/);
});

describe('policies', () => {
  it('a host whose emptying failed stays disabled by order only, and is named until the plan enables it', async () => {
    const cloud = createFakeCloud({
      hosts: ['a', 'b', 'c'].map((name) => ({ name })),
      servers: [1, 2].map((number) => ({ uuid: serverId(number), host: 'a', locked: number === 2 })),
    });
    const change = (state: string, after: number[] = []) => ({
      type: 'change_nova_service_state',
      input: { resource_id: 'a', resource_name: 'a', state },
      after,
    });
    const emptying = [change('disabled'), moveSpec(1, 'a', 'b', { after: [0] }), moveSpec(2, 'a', 'b', { after: [0] })];
    const end = await bench.run(bench.runner({ cloud }), await bench.plan(emptying, { row: { byOrder: true } }));
    expect(end).toMatchObject({ state: 'FAILED', actions: ['SUCCEEDED', 'SUCCEEDED', 'FAILED'] });
    expect(end.message).toMatch(
      /2 of 3 .* 1 failed\. Left disabled but not emptied: a \(1 to move\)\. First failure: /,
    );
    expect(cloud.hosts.get('a')).toMatchObject({ status: 'disabled' });

    Object.assign(cloud.hosts.get('a') ?? {}, { status: 'enabled' });
    const passing = [change('disabled'), moveSpec(2, 'a', 'b', { after: [0] }), change('enabled', [1])];
    const enabled = await bench.run(bench.runner({ cloud }), await bench.plan(passing));
    expect(enabled).toMatchObject({ actions: ['SUCCEEDED', 'FAILED', 'SUCCEEDED'] });
    expect(enabled.message).not.toContain('Left disabled');
    expect(cloud.hosts.get('a')).toMatchObject({ status: 'enabled' });
  });

  it('stop: nothing starts after a failure', async () => {
    const plan = await bench.plan([{}, { ...fail('execute'), after: [0] }, { after: [1] }], { onFailure: 'stop' });
    const end = await runHere(plan);
    const [, failed] = await bench.store.db.actions.listByPlan(plan.uuid);
    expect(end).toMatchObject({ state: 'FAILED', actions: ['SUCCEEDED', 'FAILED', 'CANCELLED'], rollback: null });
    expect(end.messages[2]).toBe(`Not executed because action ${failed?.uuid} failed.`);
  });

  it('rollback: finished actions are undone, moves after their host is enabled again', async () => {
    const cloud = createFakeCloud({
      hosts: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
      servers: [{ uuid: serverId(1), host: 'a' }],
    });
    const disable = {
      type: 'change_nova_service_state',
      input: { resource_id: 'a', resource_name: 'a', state: 'disabled', disabled_reason: 'watcher_maintaining' },
    };
    const plan = await bench.plan(
      [
        disable,
        moveSpec(1, 'a', 'b', { after: [0] }),
        { after: [1] },
        { ...fail('execute'), after: [2] },
        { after: [3] },
      ],
      { onFailure: 'rollback' },
    );
    const end = await bench.run(bench.runner({ cloud }), plan);
    expect(end).toMatchObject({
      state: 'FAILED',
      rollback: 'SUCCEEDED',
      message: expect.stringMatching(
        /^3 of 5 actions succeeded, 1 failed, 1 cancelled\. First failure: nop \S+: Action failed in execute: .*\. Rollback: 1 exactly undone, 1 undone by best effort, 1 of a type that cannot be undone$/,
      ),
      actions: ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', 'FAILED', 'CANCELLED'],
      rollbacks: ['SUCCEEDED', 'SUCCEEDED', 'NOT_SUPPORTED', null, null],
    });
    expect(cloud.mutations.map((one) => `${one.call} ${one.argument}`)).toEqual([
      'setServiceStatus disabled',
      'liveMigrate b',
      'setServiceStatus enabled',
      'liveMigrate a',
    ]);
    expect(cloud.servers.get(serverId(1))?.host).toBe('a');
    expect(cloud.hosts.get('a')).toMatchObject({ status: 'enabled', reason: null });
  });

  it('rollback: an evacuation stays, with the steps until its host takes instances again', async () => {
    const cloud = createFakeCloud({
      hosts: [{ name: 'a', state: 'down', forcedDown: true }, { name: 'b' }],
      servers: [{ uuid: serverId(1), host: 'a' }],
    });
    const input = { resource_id: serverId(1), source_node: 'a', destination_node: 'b', fenced_by: 'forced_down' };
    const plan = await bench.plan(
      [
        { type: 'evacuate', input },
        { ...fail('execute'), after: [0] },
      ],
      {
        onFailure: 'rollback',
      },
    );
    const end = await bench.run(bench.runner({ cloud }), plan);
    expect(end).toMatchObject({ state: 'FAILED', rollback: 'NOT_SUPPORTED', rollbacks: ['NOT_SUPPORTED', null] });
    const [evacuation] = await bench.store.db.actions.listByPlan(plan.uuid);
    expect(evacuation?.rollbackMessage).toMatch(/nova-compute has restarted and its forced_down is cleared/);
    expect(cloud.forceUp('a')).toMatchObject({ status: 400 });
  });

  it('rollback: a revert that fails is reported', async () => {
    const cloud = createFakeCloud({
      hosts: [{ name: 'a' }, { name: 'b' }],
      servers: [{ uuid: serverId(1), host: 'a' }],
    });
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), { ...fail('execute'), after: [0] }], {
      onFailure: 'rollback',
    });
    const racePoint = async (point: string) => {
      if (point === 'mid-rollback') cloud.script(serverId(1), { status: 'error', fault: 'no way back' });
    };
    const end = await bench.run(bench.runner({ cloud, racePoint }), plan);
    expect(end).toMatchObject({ state: 'FAILED', rollback: 'FAILED', rollbacks: ['FAILED', null] });
    expect(end.message).toMatch(/Rollback: 1 could not be undone$/);
    const [first] = await bench.store.db.actions.listByPlan(plan.uuid);
    expect(first?.rollbackMessage).toMatch(/no way back/);
  });
});

it('never exceeds its parallel limits, and uses them', async () => {
  const servers = Array.from({ length: 10 }, (_, number) => ({ uuid: serverId(number), host: number < 6 ? 'a' : 'b' }));
  const cloud = createFakeCloud({
    hosts: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name })),
    servers,
    pollsPerMigration: 10,
  });
  // Those that start first stay until all places are taken.
  for (const { uuid } of servers) cloud.hold(uuid);
  const targets = ['c', 'd', 'e'];
  const plan = await bench.plan(
    servers.map((server, number) => moveSpec(number, server.host, targets[number % 3] ?? '')),
  );
  const options = { maxActionsPerPlan: 4, limits: { source: 2, destination: 3, resource: 1 } };
  const runner = bench.runner({ cloud, options });
  await bench.start(runner, plan);
  await expect.poll(() => cloud.peak()).toBe(4);
  for (const { uuid } of servers) cloud.release(uuid);
  await runner.idle();
  expect((await bench.outcome(plan)).state).toBe('SUCCEEDED');
  expect(cloud.peak('source:a')).toBe(2);
  expect(cloud.peak('source:b')).toBe(2);
  expect(cloud.peak()).toBe(4);
  for (const target of targets) expect(cloud.peak(`destination:${target}`)).toBeLessThanOrEqual(3);
});

it("aborts a migration after the action's time budget, and reports it", async () => {
  const cloud = createFakeCloud({ hosts: [{ name: 'a' }, { name: 'b' }], servers: [{ uuid: serverId(1), host: 'a' }] });
  cloud.hold(serverId(1));
  let passedMs = 0;
  const steadyClock = { now: () => performance.now() + passedMs };
  const listeners = new Set<(isOpen: boolean) => void>();
  const onChange = (listener: (isOpen: boolean) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const runner = bench.runner({ cloud, deps: { steadyClock, gate: { ...openGate, onChange } } });
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  await bench.start(runner, plan);
  await expect.poll(() => cloud.mutations.length).toBe(1);
  passedMs = 3_600_000;
  // The change of the gate makes the deadline read the clock again.
  for (const report of listeners) report(true);
  await runner.idle();
  const end = await bench.outcome(plan);
  expect(end.messages[0]).toBe('Action failed in execute: timeout after 1080s');
  expect(cloud.mutations.map((one) => one.call)).toEqual(['liveMigrate', 'abortLiveMigration']);
  expect(cloud.servers.get(serverId(1))).toMatchObject({ host: 'a', status: 'ACTIVE' });
});

it('abandons a plugin that never returns and ignores its signal, and continues the plan', async () => {
  const nop = actionCatalogue.find(({ name }) => name === 'nop') as ActionPlugin;
  const given: ActionContext[] = [];
  const deaf: ActionPlugin = {
    ...nop,
    name: 'deaf',
    timeoutMs: () => 0,
    execute(context) {
      given.push(context as ActionContext);
      return new Promise(() => {});
    },
  };
  const actions = createActionRegistry([...actionCatalogue, deaf]);
  const cloud = createFakeCloud({ hosts: [] });
  const plan = await bench.plan([{ type: 'deaf' }, {}]);

  const end = await bench.run(bench.runner({ cloud, deps: { actions }, options: { settleMs: 50 } }), plan);

  expect(end).toMatchObject({ state: 'FAILED', actions: ['FAILED', 'SUCCEEDED'] });
  expect(end.messages[0]).toBe('Action failed in execute: timeout after 0s');
  expect(given).toHaveLength(1);
  await expect(given[0]?.guard()).rejects.toThrow('timeout');
  await expect(given[0]?.journal.intent({ late: true })).rejects.toThrow('timeout');
});

it('a plan waits until another plan that works on one of its hosts has ended', async () => {
  const cloud = createFakeCloud({
    hosts: ['a', 'b', 'c', 'd'].map((name) => ({ name })),
    servers: [
      { uuid: serverId(1), host: 'a' },
      { uuid: serverId(2), host: 'd' },
    ],
  });
  cloud.hold(serverId(1));
  const [first, second] = [await bench.plan([moveSpec(1, 'a', 'b')]), await bench.plan([moveSpec(1, 'b', 'c')])];
  const apart = await bench.plan([moveSpec(2, 'd', 'c')]);
  const [one, other] = [bench.runner({ cloud }), bench.runner({ cloud })];
  const take = (plan: ActionPlanView) => other.tryStart({ planUuid: plan.uuid, kind: 'claimed' }, 1000);
  await bench.start(one, first);
  await expect.poll(() => cloud.mutations.length).toBe(1);

  expect(await take(second)).toBe('not_available');
  expect(await bench.outcome(second)).toMatchObject({
    state: 'PENDING',
    message: `Waiting: action plan ${first.uuid}, which is ONGOING, holds host b`,
  });
  expect(await take(apart)).toBe('started');
  await other.idle();

  cloud.release(serverId(1));
  await one.idle();
  await bench.store.db.actionPlans.update(second.uuid, { holdUntil: null });
  expect(await take(second)).toBe('started');
  await other.idle();
  expect((await bench.outcome(second)).actions).toEqual(['SUCCEEDED']);
  expect(cloud.servers.get(serverId(1))?.host).toBe('c');
});
