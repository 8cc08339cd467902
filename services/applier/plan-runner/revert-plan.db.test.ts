import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { actionCatalogue, inputOfRevert, planRollback } from '#libs/actions';
import type { ActionPlanView } from '#libs/store';
import { createFakeCloud, insertAction, insertActionPlan } from '#tests';
import { moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';
import { killRunAt } from '../testing/kill-run-at.ts';
import type { RacePoint } from './runner-deps.ts';

const bench = await useApplierBench();

const disable = {
  type: 'change_nova_service_state',
  input: { resource_id: 'c', resource_name: 'c', state: 'disabled', disabled_reason: 'watcher_disabled' },
};

/** A plan that has been executed: a host disabled, a server moved live, another one cold. */
async function executed() {
  const cloud = createFakeCloud({
    hosts: ['a', 'b', 'c'].map((name) => ({ name })),
    servers: [1, 2].map((number) => ({ uuid: serverId(number), host: 'a' })),
  });
  const specs = [disable, moveSpec(1, 'a', 'b', { after: [0] }), moveSpec(2, 'a', 'b', { after: [1], cold: true }), {}];
  const plan = await bench.plan(specs);
  await bench.run(bench.runner({ cloud }), plan);
  const before = cloud.mutations.length;
  const mutations = () => cloud.mutations.slice(before).map((one) => `${one.call} ${one.argument}`);
  return { cloud, plan, mutations };
}

/** The plan that undoes `plan`, as the API makes it. */
async function rollbackOf(plan: ActionPlanView): Promise<ActionPlanView> {
  const { db } = bench.store;
  const attempts = new Map((await db.actionAttempts.latestOfPlan(plan.id)).map((one) => [one.actionId, one]));
  const steps = planRollback(
    (await db.actions.listByPlan(plan.uuid)).map((action) => ({
      ...action,
      journal: attempts.get(action.id) ?? null,
      isUndone: false,
    })),
    {
      plugins: actionCatalogue,
      revertibleOf: (type) => actionCatalogue.find(({ name }) => name === type)?.revertible ?? null,
    },
  ).filter(({ waitsFor }) => waitsFor !== null);
  const uuids = new Map(steps.map(({ action }) => [action.uuid, randomUUID()]));
  const rollback = await insertActionPlan(db, { id: plan.auditId }, { id: plan.strategyId }, () => ({
    state: 'PENDING',
    launchSeq: 1,
    rollsBack: plan.uuid,
  }));
  for (const { action, waitsFor } of steps) {
    await insertAction(db, rollback, () => ({
      uuid: uuids.get(action.uuid) ?? '',
      actionType: 'revert',
      inputParameters: inputOfRevert(action),
      parents: (waitsFor ?? []).map((uuid) => uuids.get(uuid) ?? ''),
    }));
  }
  return rollback;
}

const undoing = ['coldMigrate a', 'confirmResize null', 'liveMigrate a', 'setServiceStatus enabled'];

it('undoes the actions of a plan, the last ones first', async () => {
  const { cloud, plan, mutations } = await executed();
  const end = await bench.run(bench.runner({ cloud }), await rollbackOf(plan));
  expect(end).toMatchObject({
    state: 'SUCCEEDED',
    actions: ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'],
    message: `3 of 3 actions of action plan ${plan.uuid} undone`,
  });
  expect(mutations()).toEqual(undoing);
  expect([1, 2].map((number) => cloud.servers.get(serverId(number))?.host)).toEqual(['a', 'a']);
  expect(cloud.hosts.get('c')).toMatchObject({ status: 'enabled' });
});

describe('checks the cloud before each action', () => {
  it('keeps later changes of another user, and reports that', async () => {
    const { cloud, plan, mutations } = await executed();
    const moved = cloud.servers.get(serverId(1));
    if (moved) moved.host = 'c';
    const end = await bench.run(bench.runner({ cloud }), await rollbackOf(plan));
    expect(end).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED', 'SKIPPED', 'SUCCEEDED'] });
    expect(end.messages[1]).toBe(
      `Action was skipped automatically: Instance ${serverId(1)} is on c, not on b where the action plan put it`,
    );
    expect(end.message).toBe(`One or more actions were skipped. 2 of 3 actions of action plan ${plan.uuid} undone`);
    expect(mutations()).not.toContain('liveMigrate a');
  });

  it('continues when one cannot be undone, and reports which', async () => {
    const { cloud, plan, mutations } = await executed();
    const locked = cloud.servers.get(serverId(2));
    if (locked) locked.locked = true;
    const end = await bench.run(bench.runner({ cloud }), await rollbackOf(plan));
    expect(end).toMatchObject({ state: 'FAILED', actions: ['FAILED', 'SUCCEEDED', 'SUCCEEDED'] });
    expect(end.message).toMatch(/^2 of 3 actions of action plan \S+ undone\. First failure: revert \S+: .* is locked$/);
    expect(mutations()).toEqual(['liveMigrate a', 'setServiceStatus enabled']);
  });
});

describe('an applier that is killed during the rollback', () => {
  it.each<[RacePoint, number]>([
    ['after-claim', 1],
    ['after-intent', 1],
    ['after-intent', 2],
    ['after-send', 1],
    ['after-send', 3],
    ['mid-poll', 2],
    ['before-succeeded', 2],
    ['before-finish', 1],
  ])('at %s, time %d: its successor undoes the rest, each change made once', async (point, nth) => {
    const { cloud, plan, mutations } = await executed();
    const rollback = await rollbackOf(plan);
    await killRunAt(bench, { cloud, plan: rollback, point, nth });
    const end = await bench.run(bench.runner({ cloud }), rollback, 'taken_over');
    expect(end).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'] });
    expect(mutations()).toEqual(undoing);
  });
});

it('is aborted through Nova: the instance stays where it is', async () => {
  const { cloud, plan } = await executed();
  const rollback = await rollbackOf(plan);
  cloud.hold(serverId(1));
  const runner = bench.runner({ cloud });
  await bench.start(runner, rollback);
  await expect.poll(() => cloud.mutations.at(-1)?.call).toBe('liveMigrate');
  await bench.store.db.actionPlans.transition(rollback.uuid, 'requestCancel', { set: { abortRunning: true } });
  runner.hint(rollback.uuid);
  await runner.idle();
  expect(await bench.outcome(rollback)).toMatchObject({
    state: 'CANCELLED',
    actions: ['SUCCEEDED', 'CANCELLED', 'CANCELLED'],
  });
  expect(cloud.mutations.at(-1)?.call).toBe('abortLiveMigration');
  expect(cloud.servers.get(serverId(1))?.host).toBe('b');
});
