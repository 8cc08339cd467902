import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import {
  applyActions,
  assertWellBehaved,
  createTestWorld,
  movesOf,
  runStrategy,
  type TestHost,
  type TestInstance,
  type TestMetrics,
} from '#libs/plugin-kit/testing';
import { MetricsMissingError } from '../shared/report/errors.ts';
import { metrics1, scenario1 } from '../testing/watcher-scenarios.ts';
import { type WorkloadStabilizationParameters, windowsOf } from './parameters.ts';
import { workloadStabilizationStrategy } from './strategy.ts';

/** A cloud of equal hosts with 16 vcpus. Each instance of 1 vcpu uses all of it. */
function cloud(
  instancesPerHost: number[],
  changes: { host?: Partial<TestHost>; instance?: Partial<TestInstance> } = {},
) {
  const hosts = instancesPerHost.map((_, index) => ({ hostname: `h${index}`, ...changes.host }));
  const instances = instancesPerHost.flatMap((count, host) =>
    Array.from({ length: count }, (_, index) => ({
      name: `vm${host}-${index}`,
      host: `h${host}`,
      ...changes.instance,
    })),
  );
  return createTestWorld({ hosts, instances });
}

/** Host loads that follow from such a cloud. */
function loads(instancesPerHost: number[]): TestMetrics {
  return {
    host_cpu_usage: Object.fromEntries(instancesPerHost.map((count, index) => [`h${index}`, (count / 16) * 100])),
    instance_cpu_usage: 100,
  };
}

const uneven = [12, 10, 2, 0];

function run(snapshot = cloud(uneven), metrics: TestMetrics = loads(uneven), parameters: JsonObject = {}, seed = 1) {
  return runStrategy(workloadStabilizationStrategy, { snapshot, metrics, parameters, seed });
}

describe('workload_stabilization', () => {
  it('at least halves the spread of an unbalanced cloud by default', async () => {
    const { actions, indicators } = await run();
    expect(indicators.standard_deviation_before_audit).toBeCloseTo(0.3187, 3);
    expect(indicators.standard_deviation_after_audit).toBeLessThanOrEqual(0.1);
    expect(indicators.standard_deviation_after_audit).toBeLessThanOrEqual(0.3187 / 2);
    expect(indicators).toMatchObject({ instances_count: 24, instance_migrations_count: actions.length });
    expect(new Set(movesOf(actions).map(({ from }) => from))).toEqual(new Set(['h0', 'h1']));
    expect(new Set(movesOf(actions).map(({ to }) => to))).toEqual(new Set(['h2', 'h3']));
    expect(movesOf(actions)[0]).toMatchObject({ from: 'h0', to: 'h3' });
    applyActions(cloud(uneven), actions);
  });

  it('stops as soon as thresholds and half of the spread are reached', async () => {
    const { actions } = await run(cloud(uneven), loads(uneven), { thresholds: { instance_cpu_usage: 0.25 } });
    expect(actions.length).toBeLessThan(8);
    const model = applyActions(cloud(uneven), actions);
    const after = uneven.map((_, host) => model.instancesOn(host).length / 16);
    const deviation = Math.sqrt(after.reduce((sum, load) => sum + (load - 0.375) ** 2, 0) / 4);
    expect(deviation).toBeLessThanOrEqual(0.3187 / 2);
  });

  it.each<[string, JsonObject, number | null]>([
    ['cpu above its threshold', { thresholds: { instance_cpu_usage: 0.25, instance_ram_usage: 0.2 } }, 0.296],
    ['ram above its threshold', { metrics: ['instance_ram_usage'], thresholds: { instance_ram_usage: 0.05 } }, 0.0706],
    [
      'both metrics, cpu first',
      {
        metrics: ['instance_cpu_usage', 'instance_ram_usage'],
        thresholds: { instance_cpu_usage: 0.25, instance_ram_usage: 0.05 },
      },
      0.296,
    ],
    ['cpu below its threshold', { thresholds: { instance_cpu_usage: 0.3 } }, null],
    ['ram below its threshold', { metrics: ['instance_ram_usage'], thresholds: { instance_ram_usage: 0.1 } }, null],
  ])('scenario 1: %s', async (_, parameters, before) => {
    const { actions, indicators, report } = await run(createTestWorld(scenario1), metrics1, parameters);
    expect(actions.length > 0).toBe(before !== null);
    if (before === null) expect(report.emptyBecause).toContain('within its thresholds');
    else expect(indicators.standard_deviation_before_audit).toBeCloseTo(before, 3);
  });

  it('scenario 1: takes the best moves first, each instance once, and only running ones', async () => {
    const { actions } = await run(createTestWorld(scenario1), metrics1, { thresholds: { instance_cpu_usage: 0.01 } });
    expect(movesOf(actions)).toEqual([
      { instance: 'I5', from: 'hostname_2', to: 'hostname_4' },
      { instance: 'I3', from: 'hostname_2', to: 'hostname_3' },
      { instance: 'I4', from: 'hostname_2', to: 'hostname_3' },
    ]);
  });

  it.each([
    ['a cheap one', 1000, 1],
    ['one that is dear for what it brings', 200_000, 0],
  ])('moves %s', async (_, memory, moves) => {
    const others = Array.from({ length: 9 }, (_, row) => ({
      name: `other${row}`,
      host: 'h0',
      memory: 1000,
      locked: true,
    }));
    const snapshot = createTestWorld({
      hosts: ['h0', 'h1'].map((hostname) => ({ hostname, memory: 400_000 })),
      instances: [{ name: 'vm', host: 'h0', memory }, ...others],
    });
    const metrics = { host_cpu_usage: { h0: 90, h1: 10 }, instance_cpu_usage: 50 };
    expect((await run(snapshot, metrics)).actions).toHaveLength(moves);
  });

  it('meets the thresholds of all metrics', async () => {
    const counts = [8, 8, 0, 0];
    const snapshot = createTestWorld({
      hosts: counts.map((_, index) => ({ hostname: `h${index}`, memory: 16_000 })),
      instances: counts.flatMap((count, host) =>
        Array.from({ length: count }, (_, index) => ({
          name: `vm${host}-${index}`,
          host: `h${host}`,
          memory: host === 0 ? 1500 : 100,
        })),
      ),
    });
    const metrics: TestMetrics = {
      host_cpu_usage: { h0: 5, h1: 50, h2: 0, h3: 0 },
      instance_cpu_usage: (name) => (name.startsWith('vm0') ? 10 : 100),
      host_ram_usage: { h0: 12_000 * 1024, h1: 800 * 1024, h2: 0, h3: 0 },
      instance_ram_usage: (name) => (name.startsWith('vm0') ? 1500 : 100),
    };
    const parameters = {
      metrics: ['instance_cpu_usage', 'instance_ram_usage'],
      thresholds: { instance_cpu_usage: 0.05, instance_ram_usage: 0.08 },
    };
    const { report, actions } = await run(snapshot, metrics, parameters);
    const [cpu, ram] = [...(report.notes[0] ?? '').matchAll(/usage ([\d.]+)/g)].map((match) => Number(match[1]));
    expect(cpu).toBeLessThanOrEqual(0.05);
    expect(ram).toBeLessThanOrEqual(0.08);
    expect(actions[0]?.reason.values.map(({ quantity, subject }) => `${quantity} ${subject}`)).toEqual([
      'host_cpu_usage h0',
      'host_ram_usage h0',
      'host_cpu_usage h3',
      'host_ram_usage h3',
      'standard_deviation cluster',
    ]);
  });

  it('proposes no destination that a constraint refuses, and says which', async () => {
    const snapshot = cloud(uneven);
    snapshot.hosts.memoryUsed[3] = 65_536;
    const { actions, report } = await run(snapshot);
    expect(movesOf(actions).map(({ to }) => to)).not.toContain('h3');
    expect(actions[0]?.reason.rejected).toEqual([
      { alternative: 'h3', because: 'memory', others: 0 },
      { alternative: 'h1', because: 'worse-spread', others: 0 },
    ]);
    expect(report.blocked).toContainEqual({ constraint: 'host-without-room', count: 1, examples: ['h3'] });
  });

  it('explains a move with numbers', async () => {
    const { actions } = await run();
    expect(actions[0]?.inputParameters).toMatchObject({
      migration_type: 'live',
      source_node: 'h0',
      destination_node: 'h3',
      resource_name: 'vm0-0',
    });
    expect(actions[0]?.reason.summary).toBe(
      'Moving vm0-0 takes the CPU usage of h0 from 75 % to 68.8 % and of h3 from 0 % to 6.3 %; ' +
        'the deviation across hosts falls from 31.9 % to 28.3 %. ' +
        'It avoids 480 host minutes near a limit within a day, at a price of 11 host minutes.',
    );
  });

  it.each<[string, Partial<TestInstance>, string]>([
    ['excluded', { excluded: true }, 'instance-excluded'],
    ['locked', { locked: true }, 'instance-locked'],
    ['stopped', { state: 'stopped' }, 'instance-state'],
  ])('moves no %s instance', async (_, instance, constraint) => {
    const { actions, report } = await run(cloud(uneven, { instance }));
    expect(actions).toEqual([]);
    expect(report.emptyBecause).toBe('no instance with a load may be moved');
    expect(report.blocked).toMatchObject([{ constraint, count: 24 }]);
  });

  it('leaves hosts and instances without metrics out and reports them', async () => {
    const metrics = loads(uneven);
    metrics.host_cpu_usage = { h0: 75, h1: 62.5, h2: 12.5 };
    metrics.instance_cpu_usage = (name) => (name === 'vm0-0' ? Number.NaN : 100);
    const { actions, report } = await run(cloud(uneven), metrics);
    expect(movesOf(actions).map(({ to }) => to)).not.toContain('h3');
    expect(report.hosts).toEqual({ considered: 4, eligible: 3 });
    expect(report.blocked).toContainEqual({ constraint: 'host-without-metric', count: 1, examples: ['h3'] });
    expect(report.blocked).toContainEqual({ constraint: 'instance-without-metric', count: 1, examples: ['vm0-0'] });
  });

  it('reads only enabled hosts that are up', async () => {
    const snapshot = cloud(uneven);
    snapshot.hosts.flags[3] = 1;
    const { report, actions } = await run(snapshot);
    expect(report.hosts.eligible).toBe(3);
    expect(movesOf(actions).map(({ to }) => to)).not.toContain('h3');
  });

  it.each([['cycle'], ['retry'], ['fullsearch']])(
    'host_choice %s lowers the spread below the threshold',
    async (choice) => {
      const parameters = { host_choice: choice, retry_count: 9 };
      const { indicators, actions } = await run(cloud(uneven), loads(uneven), parameters);
      expect(indicators.standard_deviation_after_audit).toBeLessThanOrEqual(0.1);
      applyActions(cloud(uneven), actions);
    },
  );

  it('retry depends on the seed alone', async () => {
    const moves = async (seed: number) =>
      movesOf((await run(cloud(uneven), loads(uneven), { host_choice: 'retry' }, seed)).actions);
    expect(await moves(1)).toEqual(await moves(1));
    expect([await moves(2), await moves(3), await moves(4)]).not.toEqual([
      await moves(1),
      await moves(1),
      await moves(1),
    ]);
  });

  it('uses the former name of the host window', () => {
    const periods = { instance: 720, compute_node: 600, node: 500 };
    const parameters = {
      periods,
      aggregation_method: { instance: 'mean', compute_node: 'mean', node: 'min' },
      granularity: 60,
    };
    expect(windowsOf(parameters as WorkloadStabilizationParameters)).toEqual({
      hosts: { periodSeconds: 500, granularitySeconds: 60, aggregate: 'min' },
      instances: { periodSeconds: 720, granularitySeconds: 60, aggregate: 'mean' },
    });
  });

  it('fails without measurements and with a metric that is none of hosts', async () => {
    await expect(run(cloud(uneven), { instance_cpu_usage: 1 })).rejects.toThrow(MetricsMissingError);
    await expect(run(cloud(uneven), { host_cpu_usage: 1 })).rejects.toThrow('no value of instance_cpu_usage');
    await expect(
      run(cloud(uneven), loads(uneven), { instance_metrics: { instance_cpu_usage: 'instance_ram_usage' } }),
    ).rejects.toThrow('instance_metrics.instance_cpu_usage: instance_ram_usage is not a metric of compute nodes');
  });

  it('has nothing to do in an empty cloud', async () => {
    const { actions, report } = await run(createTestWorld({ hosts: [] }), {});
    expect(actions).toEqual([]);
    expect(report.emptyBecause).not.toBeNull();
  });

  it('widens its search when the extreme hosts have nothing to offer', async () => {
    const hosts = Array.from({ length: 400 }, (_, index) => ({ hostname: `h${index}`, vcpus: 64 }));
    const instances = hosts.flatMap(({ hostname }, host) =>
      Array.from({ length: 12 }, (_, index) => ({ name: `${hostname}-${index}`, host: hostname, locked: host < 30 })),
    );
    const level = (name: string) => (Number(name.slice(1)) < 30 ? 95 : Number(name.slice(1)) < 60 ? 80 : 20);
    const { actions, indicators } = await run(
      createTestWorld({ hosts, instances }),
      { host_cpu_usage: level, instance_cpu_usage: 100 },
      { thresholds: { instance_cpu_usage: 0.17 } },
    );
    expect(actions.length).toBeGreaterThan(10);
    expect(movesOf(actions).every(({ from }) => Number(from.slice(1)) >= 30)).toBe(true);
    expect(indicators.standard_deviation_after_audit).toBeLessThan(
      indicators.standard_deviation_before_audit as number,
    );
  });

  it('keeps the promises of a strategy', async () => {
    await assertWellBehaved(workloadStabilizationStrategy, { snapshot: cloud(uneven), metrics: loads(uneven) });
    await assertWellBehaved(workloadStabilizationStrategy, {
      snapshot: cloud(uneven),
      metrics: loads(uneven),
      parameters: { host_choice: 'retry' },
    });
  });
});

describe('workload_stabilization, on random clouds', () => {
  it('never makes the spread worse, moves an instance once, and proposes only moves that Nova accepts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 2, maxLength: 6 }),
        fc.constantFrom('cycle', 'retry', 'fullsearch'),
        fc.integer({ min: 1, max: 2 }),
        async (counts, choice, groupSize) => {
          const snapshot = createTestWorld({
            hosts: counts.map((_, index) => ({ hostname: `h${index}` })),
            instances: counts.flatMap((count, host) =>
              Array.from({ length: count }, (_, index) => ({
                name: `vm${host}-${index}`,
                host: `h${host}`,
                ...(index < groupSize ? { group: 'g' } : {}),
              })),
            ),
            groups: [{ name: 'g', policy: 'anti-affinity', maxServerPerHost: 2 }],
          });
          const parameters = { host_choice: choice, thresholds: { instance_cpu_usage: 0.05 } };
          const { actions, indicators } = await run(snapshot, loads(counts), parameters);
          applyActions(snapshot, actions);
          const moved = movesOf(actions).map(({ instance }) => instance);
          expect(new Set(moved).size).toBe(moved.length);
          const { standard_deviation_before_audit: before, standard_deviation_after_audit: after } = indicators;
          expect(after as number).toBeLessThanOrEqual(before as number);
          if (actions.length > 0) expect(after as number).toBeLessThan(before as number);
        },
      ),
      { numRuns: 100 },
    );
  });
});
