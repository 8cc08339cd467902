import { describe, expect, it } from 'vitest';
import {
  applyActions,
  assertWellBehaved,
  createTestWorld,
  movesOf,
  runStrategy,
  type TestMetrics,
  type TestWorld,
} from '#libs/plugin-kit/testing';
import { MetricsMissingError } from '../shared/report/errors.ts';
import { outletTemperatureStrategy } from './strategy.ts';

const host = (hostname: string) => ({ hostname, vcpus: 40, memory: 132, disk: 250 });
const instance = (name: string, on: string, changes = {}) => ({
  name,
  host: on,
  vcpus: 10,
  memory: 2,
  disk: 20,
  ...changes,
});

/** Two hosts with an active instance each: S3 of the reference. */
const s3: TestWorld = {
  hosts: [host('fa69'), host('af69')],
  instances: [instance('73b09e16', 'fa69'), instance('a4cab39b', 'af69')],
};
const hotAf69: TestMetrics = { host_outlet_temp: { fa69: 30, af69: 100 } };

function run(world: TestWorld, metrics: TestMetrics, parameters = {}) {
  return runStrategy(outletTemperatureStrategy, { snapshot: createTestWorld(world), metrics, parameters });
}

describe('outlet_temperature', () => {
  it('S3 at 34.3 °C: the instance of the hot host goes to the other, by host names (Watcher wrote uuids)', async () => {
    const { actions, indicators, report } = await run(s3, hotAf69, { threshold: 34.3 });
    expect(movesOf(actions)).toEqual([{ instance: 'a4cab39b', from: 'af69', to: 'fa69' }]);
    expect(actions[0]?.reason.summary).toBe(
      'af69 blows out air of 100 °C (threshold 34.3 °C); a4cab39b goes to fa69, at 30 °C the coolest host that takes it.',
    );
    expect(indicators).toEqual({});
    expect(report).toMatchObject({ hosts: { considered: 2, eligible: 2 }, emptyBecause: null });
    applyActions(createTestWorld(s3), actions);
  });

  it.each<[string, TestWorld, TestMetrics, string, number]>([
    ['S4: one host', { hosts: [host('a')] }, { host_outlet_temp: 20 }, 'no host has an outlet temperature of 35', 0],
    ['nobody is hot', s3, { host_outlet_temp: 34.9 }, 'no host has an outlet temperature of 35', 0],
    ['all are hot', s3, { host_outlet_temp: 35 }, 'no host has an outlet temperature below 35', 2],
    [
      'nothing may be moved',
      { ...s3, instances: [instance('x', 'af69', { excluded: true })] },
      hotAf69,
      'no instance of a hot host can go',
      0,
    ],
  ])('%s: nothing, and the reason', async (_, world, metrics, because, eligible) => {
    const { actions, report } = await run(world, metrics);
    expect(actions).toEqual([]);
    expect(report.instances.eligible).toBe(eligible);
    expect(report.emptyBecause).toContain(because);
  });

  it('moves one instance of each hot host, hottest first, each to a separate cool host', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const world = {
      hosts: names.map(host),
      instances: ['a', 'b', 'c'].flatMap((on) => [
        instance(`${on}-small`, on, { vcpus: 1 }),
        instance(`${on}-large`, on, { vcpus: 8 }),
      ]),
    };
    const { actions, report } = await run(world, { host_outlet_temp: { a: 40, b: 60, c: 50, d: 20, e: 25 } });
    expect(movesOf(actions)).toEqual([
      { instance: 'b-large', from: 'b', to: 'd' },
      { instance: 'c-large', from: 'c', to: 'e' },
    ]);
    expect(actions[1]?.reason.rejected).toEqual([{ alternative: 'd', because: 'already-a-destination', others: 0 }]);
    expect(report.blocked).toContainEqual({
      constraint: 'already-a-destination',
      count: 2,
      examples: ['a-large', 'a-small'],
    });
  });

  it('moves the instances that warm the host: only active ones, by their load if measured', async () => {
    const world = {
      hosts: [host('hot'), host('cool')],
      instances: [
        instance('stopped', 'hot', { state: 'stopped', vcpus: 20 }),
        instance('paused', 'hot', { state: 'paused', vcpus: 18 }),
        instance('idle', 'hot', { vcpus: 12 }),
        instance('busy', 'hot', { vcpus: 4 }),
      ],
    };
    const host_outlet_temp = { hot: 50, cool: 20 };
    const unmeasured = await run(world, { host_outlet_temp });
    expect(movesOf(unmeasured.actions)).toEqual([{ instance: 'idle', from: 'hot', to: 'cool' }]);
    expect(unmeasured.report.blocked).toContainEqual({
      constraint: 'instance-state',
      count: 2,
      examples: ['stopped', 'paused'],
    });
    const measured = await run(world, { host_outlet_temp, instance_cpu_usage: { idle: 1, busy: 90 } });
    expect(movesOf(measured.actions)).toEqual([{ instance: 'busy', from: 'hot', to: 'cool' }]);
    // The mean of the measured is 90 % of 4 vcpus, and idle has 12 of them.
    const inPart = await run(world, { host_outlet_temp, instance_cpu_usage: { busy: 90 } });
    expect(movesOf(inPart.actions)).toEqual([{ instance: 'idle', from: 'hot', to: 'cool' }]);
  });

  it('passes over a full host and one without a value', async () => {
    const world = {
      hosts: [host('hot'), { ...host('full'), used: { vcpus: 40 } }, host('blind'), host('cool')],
      instances: [instance('x', 'hot')],
    };
    const { actions, report } = await run(world, { host_outlet_temp: { hot: 50, full: 10, cool: 30 } });
    expect(movesOf(actions)).toEqual([{ instance: 'x', from: 'hot', to: 'cool' }]);
    expect(actions[0]?.inputParameters.migration_type).toBe('live');
    expect(actions[0]?.reason.rejected).toEqual([{ alternative: 'full', because: 'vcpu', others: 0 }]);
    expect(report.blocked).toContainEqual({ constraint: 'host-without-metric', count: 1, examples: ['blind'] });
  });

  it('fails without any value, and keeps the promises of a strategy', async () => {
    await expect(run(s3, {})).rejects.toThrow(MetricsMissingError);
    await assertWellBehaved(outletTemperatureStrategy, { snapshot: createTestWorld(s3), metrics: hotAf69 });
  });
});
