import { describe, expect, it } from 'vitest';
import {
  applyActions,
  assertWellBehaved,
  createTestWorld,
  movesOf,
  runStrategy,
  type TestInstance,
  type TestMetrics,
  type TestWorld,
} from '#libs/plugin-kit/testing';
import { MetricsMissingError } from '../shared/report/errors.ts';
import { uniformAirflowStrategy } from './strategy.ts';

const host = (hostname: string) => ({ hostname, vcpus: 50, memory: 132, disk: 250 });
const instance = (name: string, on: string, changes: Partial<TestInstance> = {}): TestInstance => ({
  name,
  host: on,
  vcpus: 10,
  memory: 2,
  disk: 20,
  ...changes,
});

/** S7 of the reference: 25 of 50 vcpus are used on Node_0. */
function s7(y: Partial<TestInstance> = {}): TestWorld {
  return {
    hosts: [host('Node_0'), host('Node_1')],
    instances: [
      instance('X', 'Node_0'),
      instance('Y', 'Node_0', { vcpus: 15, ...y }),
      instance('INSTANCE_3', 'Node_1'),
      instance('INSTANCE_4', 'Node_1'),
    ],
  };
}

const metrics: TestMetrics = {
  host_airflow: { Node_0: 400, Node_1: 100 },
  host_inlet_temp: { Node_0: 24, Node_1: 26 },
  host_power: { Node_0: 260, Node_1: 240 },
};
const thresholds = { threshold_airflow: 300, threshold_inlet_t: 25, threshold_power: 300 };

function run(world: TestWorld, given: TestMetrics, parameters = {}) {
  return runStrategy(uniformAirflowStrategy, { snapshot: createTestWorld(world), metrics: given, parameters });
}

describe('uniform_airflow', () => {
  it('S7: cool inlet and little power hint at faulty hardware, so everything leaves', async () => {
    const { actions } = await run(s7(), metrics, thresholds);
    expect(movesOf(actions)).toEqual([
      { instance: 'Y', from: 'Node_0', to: 'Node_1' },
      { instance: 'X', from: 'Node_0', to: 'Node_1' },
    ]);
    expect(actions[0]?.reason.summary).toBe(
      'Y goes to Node_1, since the airflow of Node_0 is 400 (threshold 300) with inlet 24 °C, power 260 W, ' +
        'which hints at faulty hardware.',
    );
    expect(applyActions(createTestWorld(s7()), actions).instancesOn(0)).toEqual([]);
  });

  it.each<[string, TestMetrics, object]>([
    ['a warm inlet', metrics, { threshold_inlet_t: 22 }],
    ['much power', metrics, { threshold_power: 200 }],
    // Watcher compares nothing with a number and the audit fails. Unknown is the careful branch.
    ['no inlet temperature', { ...metrics, host_inlet_temp: {} }, {}],
    ['no power', { ...metrics, host_power: {} }, {}],
  ])('with %s one instance leaves', async (_, given, changes) => {
    const { actions } = await run(s7(), given, { ...thresholds, ...changes });
    expect(movesOf(actions)).toEqual([{ instance: 'Y', from: 'Node_0', to: 'Node_1' }]);
  });

  it('with a warm inlet the active instance with the largest load leaves; all leave faulty hardware', async () => {
    const warm = { ...metrics, instance_cpu_usage: { X: 60, Y: 20 } };
    const one = await run(s7(), warm, { ...thresholds, threshold_inlet_t: 22 });
    expect(movesOf(one.actions).map((move) => move.instance)).toEqual(['X']);
    const stopped = { state: 'stopped' as const };
    const active = await run(s7(stopped), metrics, { ...thresholds, threshold_inlet_t: 22 });
    expect(movesOf(active.actions).map((move) => move.instance)).toEqual(['X']);
    expect(active.report.blocked).toContainEqual({ constraint: 'instance-state', count: 1, examples: ['Y'] });
    const all = await run(s7(stopped), metrics, thresholds);
    expect(movesOf(all.actions).map((move) => move.instance)).toEqual(['Y', 'X']);
  });

  it.each<[string, Partial<TestInstance>, string]>([
    ['excluded', { excluded: true }, 'instance-excluded'],
    ['locked', { locked: true }, 'instance-locked'],
  ])('an %s instance stays when the others leave (Watcher moved it)', async (_, changes, constraint) => {
    const { actions, report } = await run(s7(changes), metrics, thresholds);
    expect(movesOf(actions).map((move) => move.instance)).toEqual(['X']);
    expect(report.blocked).toContainEqual({ constraint, count: 1, examples: ['Y'] });
    expect(report.notes).toContain('1 instance cannot leave Node_0');
  });

  it('moves all or none, and then checks the next host', async () => {
    const world = {
      hosts: [host('a'), host('b'), { ...host('c'), vcpus: 12 }],
      instances: [instance('a1', 'a'), instance('a2', 'a'), instance('b1', 'b')],
    };
    const given = {
      host_airflow: { a: 500, b: 450, c: 10 },
      host_inlet_temp: 20,
      host_power: 100,
    };
    const { actions, report } = await run(world, given);
    expect(movesOf(actions)).toEqual([{ instance: 'b1', from: 'b', to: 'c' }]);
    expect(report.blocked).toContainEqual({ constraint: 'destinations-not-for-all', count: 1, examples: ['a'] });
  });

  it('counts ratios and reserves of destinations, which Watcher left out', async () => {
    const world = { ...s7(), hosts: [host('Node_0'), { ...host('Node_1'), vcpusReserved: 20 }] };
    const { actions, report } = await run(world, metrics, { ...thresholds, threshold_inlet_t: 22 });
    expect(movesOf(actions)).toEqual([{ instance: 'X', from: 'Node_0', to: 'Node_1' }]);
    expect(report.emptyBecause).toBeNull();
  });

  it.each<[string, TestMetrics, string]>([
    ['nobody is strong', { host_airflow: 100 }, 'no host has an airflow of 400 or more'],
    ['all are', { host_airflow: 500 }, 'no host has an airflow below 400'],
  ])('%s: nothing, and the reason', async (_, given, because) => {
    const { actions, report } = await run(s7(), given);
    expect(actions).toEqual([]);
    expect(report.emptyBecause).toBe(because);
  });

  it('S4 does nothing, no metric fails, and the promises are kept', async () => {
    expect((await run({ hosts: [host('a')] }, { host_airflow: 500 })).actions).toEqual([]);
    await expect(run(s7(), {})).rejects.toThrow(MetricsMissingError);
    await assertWellBehaved(uniformAirflowStrategy, {
      snapshot: createTestWorld(s7()),
      metrics,
      parameters: thresholds,
    });
  });
});
