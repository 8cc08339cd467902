import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { createFakeCloud, type FakeCloud, runSql } from '#tests';
import { type ActionSpec, moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';
import { killRunAt } from '../testing/kill-run-at.ts';
import type { RacePoint } from './runner-deps.ts';

const bench = await useApplierBench();

/** Server 2 is locked, so that it does not leave `a`. */
function makeCloud(): FakeCloud {
  return createFakeCloud({
    hosts: ['a', 'b', 'c'].map((name) => ({ name })),
    servers: [1, 2].map((number) => ({ uuid: serverId(number), host: 'a', locked: number === 2 })),
  });
}

function change(state: string, host: string, after: number[] = []): ActionSpec {
  const input: JsonObject = { resource_id: host, resource_name: host, state };
  if (state === 'disabled') input.disabled_reason = 'watcher_disabled';
  return { type: 'change_nova_service_state', input, after };
}

const emptying = [
  change('disabled', 'a'),
  moveSpec(1, 'a', 'b', { after: [0] }),
  moveSpec(2, 'a', 'b', { after: [0, 1] }),
];
const servicesOf = (cloud: FakeCloud) =>
  cloud.mutations.filter(({ call }) => call === 'setServiceStatus').map(({ argument }) => argument);

describe('a plan that ends', () => {
  it.each(['continue', 'stop'] as const)('enables a host again that it did not empty (%s)', async (onFailure) => {
    const cloud = makeCloud();
    const plan = await bench.plan(emptying, { onFailure });
    const end = await bench.run(bench.runner({ cloud }), plan);
    expect(end).toMatchObject({ state: 'FAILED', rollbacks: ['SUCCEEDED', null, null], rollback: null });
    expect(end.message).toContain('Enabled again as not emptied: a');
    expect(end.message).not.toContain('Left disabled');
    expect(cloud.hosts.get('a')).toMatchObject({ status: 'enabled' });
    const [disabling] = await bench.store.db.actions.listByPlan(plan.uuid);
    expect(disabling?.rollbackMessage).toBe('Enabled again: the host still has 1 servers');
  });

  it('leaves a host disabled that is empty', async () => {
    const cloud = makeCloud();
    const emptied = [change('disabled', 'c'), change('disabled', 'a'), moveSpec(2, 'a', 'b', { after: [1] })];
    await bench.run(bench.runner({ cloud }), await bench.plan(emptied));
    expect(cloud.hosts.get('c')).toMatchObject({ status: 'disabled' });
    expect(cloud.hosts.get('a')).toMatchObject({ status: 'enabled' });
  });

  it('enables an empty host that its plan was to enable', async () => {
    const cloud = makeCloud();
    const temporary = [change('disabled', 'c'), moveSpec(2, 'a', 'b', { after: [0] }), change('enabled', 'c', [1])];
    const end = await bench.run(bench.runner({ cloud }), await bench.plan(temporary, { onFailure: 'stop' }));
    expect(end.actions).toEqual(['SUCCEEDED', 'FAILED', 'CANCELLED']);
    expect(cloud.hosts.get('c')).toMatchObject({ status: 'enabled' });
  });

  it('leaves a host disabled that an operator disabled since', async () => {
    const cloud = makeCloud();
    const racePoint = async (point: RacePoint) => {
      if (point === 'mid-poll') Object.assign(cloud.hosts.get('a') ?? {}, { reason: 'broken fan' });
    };
    const end = await bench.run(bench.runner({ cloud, racePoint }), await bench.plan(emptying));
    expect(end).toMatchObject({ state: 'FAILED', rollbacks: [null, null, null] });
    expect(cloud.hosts.get('a')).toMatchObject({ status: 'disabled', reason: 'broken fan' });
  });

  it('CANCELLED enables the host again', async () => {
    const cloud = makeCloud();
    const plan = await bench.plan(emptying);
    const racePoint = async (point: RacePoint) => {
      if (point !== 'mid-poll') return;
      const { state } = await bench.store.db.actionPlans.get(plan.uuid);
      if (state === 'ONGOING') await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel');
    };
    const end = await bench.run(bench.runner({ cloud, racePoint }), plan);
    expect(end.state).toBe('CANCELLED');
    expect(cloud.hosts.get('a')).toMatchObject({ status: 'enabled' });
  });

  it.each([
    ['mid-rollback', 1],
    ['after-intent', 3],
    ['after-send', 4],
    ['before-finish', 1],
  ] as const)('and whose applier is killed at %s %d enables the host once', async (point, nth) => {
    const cloud = makeCloud();
    const plan = await bench.plan(emptying);
    await killRunAt(bench, { cloud, plan, point, nth });
    const end = await bench.run(bench.runner({ cloud }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'FAILED', rollbacks: ['SUCCEEDED', null, null] });
    expect(servicesOf(cloud)).toEqual(['disabled', 'enabled']);
  });
});

describe('hosts that a plan disabled and did not empty are enabled again', () => {
  const stuck = [change('disabled', 'a'), moveSpec(1, 'a', 'b', { after: [0] })];

  it('by another plan when the plan is given up without a check of the cloud', async () => {
    const cloud = makeCloud();
    cloud.hold(serverId(1));
    const plan = await bench.plan(stuck);
    await killRunAt(bench, { cloud, plan, point: 'mid-poll', nth: 1 });
    for (let fence = 1_000; fence < 1_003; fence++) {
      await bench.store.db.planRuns.start({ actionPlanId: plan.id, instance: randomUUID(), fence });
    }
    const runner = bench.runner({ cloud, options: { maxTakeovers: 1 } });
    expect(await bench.run(runner, plan, 'taken_over')).toMatchObject({ state: 'FAILED' });
    expect(servicesOf(cloud)).toEqual(['disabled']);
    const [back] = await bench.store.db.actionPlans.list({ filters: [{ field: 'rollsBack', value: plan.uuid }] });
    if (!back) throw new Error('no plan enables the host again');
    expect(back).toMatchObject({ state: 'PENDING' });
    expect(await bench.run(bench.runner({ cloud }), back)).toMatchObject({ state: 'SUCCEEDED' });
    expect(servicesOf(cloud)).toEqual(['disabled', 'enabled']);
  });

  it('when the plan waits as PENDING after a first run and its window ends', async () => {
    const cloud = makeCloud();
    cloud.hold(serverId(1));
    const plan = await bench.plan(stuck);
    await killRunAt(bench, { cloud, plan, point: 'before-succeeded', nth: 1 });
    await runSql(
      bench.databaseUrl,
      `UPDATE action_plans SET state = 'PENDING', run_instance = NULL, lease_expires_at = NULL,
         window_start = now() - interval '2 hours', window_end = now() - interval '1 hour'`,
    );
    const end = await bench.run(bench.runner({ cloud }), plan);
    expect(end).toMatchObject({ state: 'FAILED', actions: ['SUCCEEDED', 'CANCELLED'] });
    expect(end.message).toContain('its maintenance window is over');
    expect(cloud.hosts.get('a')).toMatchObject({ status: 'enabled' });
  });
});
