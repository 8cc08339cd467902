// @needs build
import { beforeEach, expect, test } from 'vitest';
import { fitDurations } from '#libs/durations';
import { isRefusal } from '#libs/messaging';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { createSemaphore } from '#libs/service-kit';
import type { ActionPlanView, AuditView } from '#libs/store';
import { type TestEngines, useTestEngines } from '../testing/test-engines.ts';
import { evaluatePlan } from './evaluate-plan.ts';
import { planVariant } from './plan-variant.ts';

const engines = await useTestEngines();
const store = engines.store;
beforeEach(() => {
  engines.reset();
  Object.assign(engines.world, worldOf([24, 2, 1, 1]));
});

/** Hosts with so many instances of one busy vcpu. */
function worldOf(instancesPerHost: number[], without = new Set<string>()): TestEngines['world'] {
  const hosts = instancesPerHost.map((_, index) => ({ hostname: `h${index}`, vcpus: 32, memory: 131_072, disk: 2000 }));
  const instances = instancesPerHost.flatMap((count, host) =>
    Array.from({ length: count }, (_, index) => ({
      name: `vm${host}-${index}`,
      host: `h${host}`,
      memory: 1024,
    })).filter(({ name }) => !without.has(testUuid(name))),
  );
  const snapshot = createTestWorld({ hosts, instances, takenAtMs: Date.now() });
  return { snapshot, loads: new Map(snapshot.instanceInfo.map(({ uuid }) => [uuid, 100] as const)) };
}

const auditRun = async () => {
  const audit = await engines.newAudit('balance_optimizer', { parameters: { preset: 'even', time_limit: 1 } });
  const { runner, lease } = engines.start();
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  await engines.ended(audit.uuid);
  await engines.stopRunners();
  const ended = await store.db.audits.get(audit.uuid);
  expect(ended.state, ended.statusMessage ?? '').toBe('SUCCEEDED');
  return ended;
};

const request = (audit: Pick<AuditView, 'uuid'>, budget: number) =>
  planVariant(
    { audit_uuid: audit.uuid, budget },
    { ...engines.planDeps(), store, slots: createSemaphore(1), signal: new AbortController().signal },
  );

async function planOf(response: Awaited<ReturnType<typeof request>>): Promise<ActionPlanView> {
  if (isRefusal(response)) throw new Error(response.error.message);
  return store.db.actionPlans.get(response.action_plan_uuid);
}

test('a run stores its curve, and another point of it can be planned on the newest model', async () => {
  const audit = await auditRun();
  const curve = audit.report?.curve ?? [];
  expect(curve.map(({ budget }) => budget)).toEqual([5, 10, 20]);
  expect(curve.at(-1)).toMatchObject({ chosen: true, moves: 17 });
  expect(curve.at(-1)?.seconds).toBeCloseTo(17 * fitDurations('live', []).estimate(1024).median);
  // Two migrations at once out of the one full host.
  const ranges = curve.map(({ duration }) => duration ?? { low: 0, high: 0 });
  for (const { low, high } of ranges) expect(low).toBeLessThan(high);
  expect(ranges[0]?.low).toBeLessThan(ranges[2]?.low ?? 0);
  expect(ranges[2]?.low).toBeLessThan(curve.at(-1)?.seconds ?? 0);
  const [first] = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  expect(await store.db.planObjectives.onCurve([first?.id ?? 0])).toEqual([{ actionPlanId: first?.id, budget: 20 }]);

  const plan = await planOf(await request(audit, 5));
  expect(plan).toMatchObject({ state: 'RECOMMENDED', auditUuid: audit.uuid });
  const actions = await store.db.actions.listByPlan(plan.uuid);
  expect(actions).toHaveLength(5);
  expect(actions[0]?.reason?.summary).toMatch(/of the plan's gain/);
  expect((await store.db.planObjectives.find(plan.id))?.budget).toBe(5);
  expect((await store.db.audits.get(audit.uuid)).report?.curve).toEqual(curve);
});

test('a variant plans only moves that are still possible, and reports why when none is', async () => {
  const audit = await auditRun();
  const known = await store.db.auditVariants.find(audit.id);
  const small = known?.variants.find(({ budget }) => budget === 5)?.moves ?? [];
  const gone = new Set(small.slice(0, 2).map(([uuid]) => uuid));
  Object.assign(engines.world, worldOf([24, 2, 1, 1], gone));
  expect(await store.db.actions.listByPlan((await planOf(await request(audit, 5))).uuid)).toHaveLength(3);

  Object.assign(engines.world, worldOf([7, 7, 7, 7]));
  expect(await request(audit, 5)).toMatchObject({ error: { code: 'strategy_failed' } });
});

test('the remaining gain of a plan is computed on the newest model', async () => {
  const audit = await auditRun();
  const [plan] = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  const left = async () => {
    const deps = { ...engines.planDeps(), store, slots: createSemaphore(1), signal: new AbortController().signal };
    const response = await evaluatePlan({ plan_uuid: plan?.uuid ?? '' }, deps);
    if (isRefusal(response)) throw new Error(response.error.message);
    return response.left;
  };
  expect(await left()).toBeCloseTo(1);
  const gone = new Set(Array.from({ length: 13 }, (_, index) => testUuid(`vm0-${index}`)));
  Object.assign(engines.world, worldOf([24, 2, 1, 1], gone));
  expect(await left()).toBeLessThan(0.5);
});

test('the moves of a plan by order are repeated on the newest model', async () => {
  Object.assign(engines.world, worldOf([2, 2, 1, 1]));
  const audit = await engines.newAudit('host_maintenance', { parameters: { maintenance_node: 'h0' } });
  const { runner, lease } = engines.start();
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  await engines.ended(audit.uuid);
  await engines.stopRunners();
  const [plan] = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  const repeated = () =>
    evaluatePlan(
      { plan_uuid: plan?.uuid ?? '' },
      { ...engines.planDeps(), store, slots: createSemaphore(1), signal: new AbortController().signal },
    );
  // Instances that start or end on other hosts are no obstacle.
  Object.assign(engines.world, worldOf([2, 3, 0, 1]));
  expect(await repeated()).toEqual({ left: null, repeated: { moves: 2, obstacles: 0, firstObstacle: null } });

  Object.assign(engines.world, worldOf([3, 2, 1, 1]));
  expect(await repeated()).toMatchObject({
    repeated: { obstacles: 1, firstObstacle: expect.stringMatching(/h0 would keep 1/) },
  });
});

test('points that are not there, and audits without a curve, are refused', async () => {
  const audit = await auditRun();
  expect(await request(audit, 7)).toEqual({
    error: { code: 'invalid_input', message: 'moves: the curve has points at 5, 10, 20' },
  });
  expect(await request({ uuid: '00000000-0000-4000-8000-000000000000' }, 5)).toMatchObject({
    error: { code: 'audit_not_found' },
  });
  const none = await engines.newAudit('dummy');
  expect(await request(none, 5)).toMatchObject({ error: { code: 'invalid_input' } });
});

test('nothing is planned while a plan is ongoing on the same hosts', async () => {
  const audit = await auditRun();
  const [plan] = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  const lease = { instance: 'applier', host: 'host', ttlMs: 60_000 };
  await store.db.actionPlans.transition(plan?.uuid ?? '', 'start');
  await store.db.actionPlans.claim(plan?.uuid ?? '', lease);
  expect(await request(audit, 5)).toMatchObject({
    error: { code: 'conflict', message: expect.stringMatching(/ongoing/) },
  });
  await store.db.actionPlans.transition(plan?.uuid ?? '', 'succeed');
});
