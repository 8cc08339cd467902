import { describe, expect, it } from 'vitest';
import { type ComputeSnapshot, createWhatIf, type WhatIf } from '#libs/cluster-model';
import { plannerCatalogue } from '#libs/planners';
import type { PlannedAction, StrategyPlugin } from '#libs/plugin-kit';
import { createTestWorld, runStrategy, type TestMetrics } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '#libs/strategies';

const limits = { parallelPerSourceHost: 2, parallelPerDestinationHost: 2, parallelMigrations: 10 };
const size = { memory: 16_384, disk: 1 };

/** Two hosts whose memory is full, and a third one with room for one more that nothing is gained on. */
function cloud(vcpus: { a: number; b: number; c: number }, third = 2): ComputeSnapshot {
  const on = (host: 'a' | 'b' | 'c', count: number) =>
    Array.from({ length: count }, (_, row) => ({ name: `${host}${row}`, host, vcpus: vcpus[host], ...size }));
  return createTestWorld({
    hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpus: 32, memory: 65_536 })),
    instances: [...on('a', 4), ...on('b', 4), ...on('c', third)],
  });
}

/** The cloud after all actions, each as soon as those before it are done. Fails when one of them would be refused. */
function carryOut(snapshot: ComputeSnapshot, actions: readonly PlannedAction[]): WhatIf {
  const model = createWhatIf(snapshot);
  const done = new Set<string>();
  for (let round = 0; round < actions.length; round++) {
    for (const { uuid, parents, inputParameters: input } of actions) {
      if (done.has(uuid) || parents.some((parent) => !done.has(parent))) continue;
      const instance = model.instanceRow(String(input.resource_id)) as number;
      const to = model.hostRow(String(input.destination_node)) as number;
      expect(model.refusal(instance, to)).toBeNull();
      model.move(instance, to);
      done.add(uuid);
    }
  }
  expect(done.size).toBe(actions.length);
  return model;
}

async function audit(name: string, snapshot: ComputeSnapshot, metrics: TestMetrics, parameters: object) {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
  const planner = plannerCatalogue.find(({ name: planned }) => planned === strategy.manifest.planner);
  const result = await runStrategy(strategy, { snapshot, metrics, parameters });
  const blocked: unknown[] = [];
  let next = 0;
  const planned = planner?.plan(result.actions, {
    snapshot,
    limits,
    newUuid: () => `action-${next++}`,
    onBlocked: (action) => blocked.push(action),
  });
  expect(blocked).toEqual([]);
  return { ...result, planned: planned ?? [] };
}

/** Host `a` is busy, `b` idle. `c` is as busy as `a`, so that nothing goes there permanently. */
const loads: TestMetrics = {
  host_cpu_usage: { a: 95, b: 5, c: 95 },
  instance_cpu_usage: (name) => (name.startsWith('b') ? 5 : 95),
};

const cases: [string, object, ComputeSnapshot][] = [
  ['workload_stabilization', { thresholds: { instance_cpu_usage: 0.05 } }, cloud({ a: 8, b: 8, c: 12 })],
  ['workload_balance', { threshold: 90, metrics: 'instance_cpu_usage' }, cloud({ a: 8, b: 8, c: 12 })],
  ['allocation_balance', { resource: 'vcpus' }, cloud({ a: 8, b: 1, c: 9 })],
];

describe.each(cases)('%s', (name, parameters, snapshot) => {
  it('two instances of full hosts change places through a third one', async () => {
    const { actions, planned, indicators } = await audit(name, snapshot, loads, parameters);
    expect(actions.length % 2).toBe(0);
    expect(new Set(actions.map(({ reason }) => reason.rule))).toEqual(new Set(['swap']));
    expect(planned.map(({ reason }) => reason.rule)).toContain('swap-through-buffer');
    carryOut(snapshot, planned);
    expect(indicators.standard_deviation_after_audit).toBeLessThan(
      indicators.standard_deviation_before_audit as number,
    );
  });

  it('proposes no exchange that finds no room in any order', async () => {
    const instances = ['a', 'b', 'c'].flatMap((host) =>
      Array.from({ length: 4 }, (_, row) => ({ name: `${host}${row}`, host, vcpus: host === 'b' ? 1 : 8, ...size })),
    );
    const hosts = ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpus: 32, memory: 65_536 }));
    const { actions } = await audit(name, createTestWorld({ hosts, instances }), loads, parameters);
    expect(actions).toEqual([]);
  });

  it.each([
    [1, 0, 0],
    // Two full hosts and one that waits on a third make three migrations.
    [2, 0, 0],
    [3, 2, 3],
  ])(
    'starts an exchange only when a budget of %d migrations has room for all of it',
    async (budget, most, migrations) => {
      const { actions, planned } = await audit(name, snapshot, loads, { ...parameters, migration_budget: budget });
      expect(actions).toHaveLength(most);
      expect(planned).toHaveLength(migrations);
    },
  );
});
