// @needs build
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { insertActionPlan } from '#tests';
import { useTestEngines } from '../testing/test-engines.ts';
import { createOutcomeHandler } from './outcome-handler.ts';

const engines = await useTestEngines();
const store = engines.store;
beforeEach(() => engines.reset());

async function newPlan(strategy: string) {
  const audit = await engines.newAudit(strategy, { state: 'SUCCEEDED' });
  return insertActionPlan(store.db, audit, await store.db.strategies.get(strategy), () => ({ state: 'ONGOING' }));
}

function measure(planUuid: string, phase: 'before' | 'after') {
  const handle = createOutcomeHandler({ ...engines.planDeps(), store, signal: new AbortController().signal });
  const body = { schema: 'outcome.measure/1', plan_uuid: planUuid, phase };
  return handle({ messageId: randomUUID(), type: 'outcome.measure', body, attempt: 0, timestamp: '' });
}

/** The same cloud with two of the four instances on each host. */
function evenOut(): void {
  const hosts = ['busy', 'idle'].map((hostname) => ({ hostname, vcpus: 16, memory: 65_536, disk: 1000 }));
  const instances = [0, 1, 2, 3].map((index) => ({
    name: `vm-${index}`,
    host: index < 2 ? 'busy' : 'idle',
    vcpus: 4,
    memory: 4096,
    disk: 10,
  }));
  engines.world.snapshot = createTestWorld({ hosts, instances });
  const uuids = engines.world.snapshot.instanceInfo.map(({ uuid }) => uuid);
  engines.world.loads = new Map(['busy', 'idle', ...uuids].map((name) => [name, 40]));
}

test('the numbers of the cloud and of the goal are stored before and after', async () => {
  const plan = await newPlan('workload_stabilization');

  expect(await measure(plan.uuid, 'before')).toEqual({ kind: 'ack' });
  evenOut();
  await measure(plan.uuid, 'after');
  await measure(plan.uuid, 'before');

  const { outcome } = await store.db.actionPlans.get(plan.uuid);
  expect(outcome).toMatchObject({
    before: { cluster: { hosts: 2, hostsEmpty: 1, instances: 4 }, measuredAt: expect.any(String) },
    after: {
      cluster: { hosts: 2, hostsEmpty: 0, instances: 4, vcpuShareDeviation: 0 },
      goal: { instance_migrations_count: 0 },
    },
  });
  const { before } = outcome as { before: { goal: Record<string, number>; cluster: Record<string, number> } };
  expect(before.goal.instance_migrations_count).toBeGreaterThan(0);
  expect(before.cluster.vcpuShareDeviation).toBeGreaterThan(0);
});

test('what the strategy cannot say any more leaves the numbers of the cloud and the reason', async () => {
  const plan = await newPlan('workload_stabilization');
  engines.world.loads = new Map();

  await measure(plan.uuid, 'after');

  const { outcome } = await store.db.actionPlans.get(plan.uuid);
  expect(outcome).toEqual({
    after: {
      measuredAt: expect.any(String),
      cluster: expect.objectContaining({ hosts: 2 }),
      goal: null,
      reason: expect.stringMatching(/host_cpu_usage/),
    },
  });
});

test('a plan that is gone is no reason to try again', async () => {
  expect(await measure(randomUUID(), 'after')).toEqual({ kind: 'ack' });
});
