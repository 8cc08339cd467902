import { describe, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { executeStrategy, type StrategyPlugin, validateParameters } from '#libs/plugin-kit';
import {
  applyActions,
  createTestMetrics,
  createTestWorld,
  movesOf,
  runStrategy,
  type TestInstance,
  type TestMetrics,
  type TestWorld,
} from '#libs/plugin-kit/testing';
import { MetricsMissingError } from '../shared/report/errors.ts';
import { noisyNeighborStrategy } from './strategy.ts';

const host = (hostname: string) => ({ hostname, vcpus: 50, memory: 132, disk: 250 });

function instance(name: string, on: string, changes: Partial<TestInstance> & { priority?: string } = {}): TestInstance {
  const { priority, ...rest } = changes;
  const metadata: Record<string, string> = priority === undefined ? {} : { 'watcher-priority': priority };
  return { name, host: on, vcpus: 10, memory: 2, disk: 20, metadata, ...rest };
}

/** S7 of the reference. On Node_1 INSTANCE_3 matters most. */
function s7(noisy: Parameters<typeof instance>[2] = { priority: '9' }): TestWorld {
  return {
    hosts: [host('Node_0'), host('Node_1')],
    instances: [
      instance('X', 'Node_0'),
      instance('Y', 'Node_0'),
      instance('INSTANCE_3', 'Node_1', { priority: '1' }),
      instance('INSTANCE_4', 'Node_1', noisy),
    ],
  };
}

type Use = Record<string, number>;
const current: Use = { X: 35, Y: 30, INSTANCE_3: 40, INSTANCE_4: 35 };
const both: Use = { X: 34.5, Y: 30.5, INSTANCE_3: 60, INSTANCE_4: 22.5 };

/** The mean over the period of 100 s, and over twice that. */
async function run(world: TestWorld, last: Use = current, twice: Use = both, parameters = {}) {
  const snapshot = createTestWorld(world);
  const over = (use: Use) => createTestMetrics(snapshot, { instance_l3_cache_usage: use });
  return executeStrategy(noisyNeighborStrategy as StrategyPlugin, {
    snapshot,
    metrics: {
      hosts: over({}).hosts,
      instances: (metric, window) => over(window.periodSeconds === 100 ? last : twice).instances(metric, window),
    },
    parameters: validateParameters(noisyNeighborStrategy.manifest.parameters, parameters),
    seed: 1,
    nowMs: 0,
    signal: new AbortController().signal,
    log: silentLogger,
  });
}

describe('noisy_neighbor', () => {
  it('S7: the noisy instance leaves the important one, by host names', async () => {
    const { actions, report } = await run(s7());
    expect(movesOf(actions)).toEqual([{ instance: 'INSTANCE_4', from: 'Node_1', to: 'Node_0' }]);
    expect(actions[0]?.reason.summary).toBe(
      'On Node_1 the L3 cache of INSTANCE_3 (priority 1) fell from 80 to 40 B while that of INSTANCE_4 (priority 9) ' +
        'rose from 10 to 35 B; INSTANCE_4 goes to Node_0.',
    );
    expect(report.notes[0]).toBe('1 host has a noisy neighbor');
    applyActions(createTestWorld(s7()), actions);
  });

  it.each<[string, Parameters<typeof instance>[2], string]>([
    ['is as important', { priority: '1' }, 'no important instance loses cache'],
    ['is excluded (Watcher moved it)', { priority: '9', excluded: true }, 'no important instance loses cache'],
    ['fits nowhere', { priority: '9', vcpus: 45 }, 'no other host takes any'],
  ])('stays when it %s', async (_, changes, because) => {
    const { actions, report } = await run(s7(changes));
    expect(actions).toEqual([]);
    expect(report.emptyBecause).toContain(because);
  });

  it('compares priorities as numbers, 5 without one: 10 comes after 9 and after none', async () => {
    expect((await run(s7({ priority: '10' }))).actions).toHaveLength(1);
    expect((await run(s7({}))).actions).toHaveLength(1);
    expect((await run(s7({ priority: 'high' }))).actions).toHaveLength(1);
  });

  it.each([
    ['a rise within the threshold', { ...current, INSTANCE_4: 25 }, { ...both, INSTANCE_4: 22.5 }],
    ['a fall within the threshold', { ...current, INSTANCE_3: 55 }, both],
    ['a victim without values', { X: 35, Y: 30, INSTANCE_4: 35 }, both],
  ])('%s is no reason', async (_, last, twice) => {
    expect((await run(s7(), last, twice)).actions).toEqual([]);
  });

  it('a loss of half the cache is a reason up to a cache_threshold of 50', async () => {
    expect((await run(s7(), current, both, { cache_threshold: 49 })).actions).toHaveLength(1);
    expect((await run(s7(), current, both, { cache_threshold: 51 })).actions).toEqual([]);
  });

  it('treats every host with a pair, the most important victim first, and sends each to a separate host', async () => {
    const pair = (on: string, priority: string) => [
      instance(`${on}-victim`, on, { priority }),
      instance(`${on}-noisy`, on, { priority: '8' }),
    ];
    const world = {
      hosts: ['a', 'b', 'c', 'd'].map(host),
      instances: [...pair('a', '3'), ...pair('b', '2'), instance('c-1', 'c')],
    };
    const last: Use = { 'a-victim': 10, 'a-noisy': 90, 'b-victim': 10, 'b-noisy': 90, 'c-1': 50 };
    const twice: Use = { 'a-victim': 50, 'a-noisy': 50, 'b-victim': 50, 'b-noisy': 50, 'c-1': 50 };
    expect(movesOf((await run(world, last, twice)).actions)).toEqual([
      { instance: 'b-noisy', from: 'b', to: 'd' },
      { instance: 'a-noisy', from: 'a', to: 'c' },
    ]);
  });

  it('S4 does nothing, and no value at all is a failure', async () => {
    expect((await run({ hosts: [host('a')] })).actions).toEqual([]);
    await expect(run(s7(), {}, {})).rejects.toThrow(MetricsMissingError);
  });
});

describe('waiting for CPUs', () => {
  /** INSTANCE_3 matters most and waits. Of the others on its host `quiet` uses little and `loud` much. */
  const world: TestWorld = {
    hosts: [host('Node_0'), host('Node_1'), host('Node_2')],
    instances: [
      instance('X', 'Node_0'),
      instance('INSTANCE_3', 'Node_1', { priority: '1' }),
      instance('quiet', 'Node_1', { priority: '9' }),
      instance('loud', 'Node_1', { priority: '8' }),
      instance('peer', 'Node_1', { priority: '1' }),
    ],
  };
  const usage = { X: 40, INSTANCE_3: 30, quiet: 5, loud: 90, peer: 95 };
  const judge = (metrics: TestMetrics, parameters = {}, changed: TestWorld = world) =>
    runStrategy(noisyNeighborStrategy, {
      snapshot: createTestWorld(changed),
      metrics: { instance_cpu_usage: usage, ...metrics },
      parameters,
    });
  const moves = async (...given: Parameters<typeof judge>) => movesOf((await judge(...given)).actions);
  const away = [{ instance: 'loud', from: 'Node_1', to: 'Node_2' }];

  it('the less important instance that uses most CPUs leaves one that waits, for the calmest host', async () => {
    const { actions, report } = await judge({ instance_cpu_steal: { INSTANCE_3: 23, X: 1 } });
    expect(movesOf(actions)).toEqual(away);
    expect(actions[0]?.reason.summary).toBe(
      'On Node_1 INSTANCE_3 (priority 1) waits for CPUs 23 % of the time while loud (priority 8) uses 9 CPUs; loud goes to Node_2.',
    );
    expect(report.notes).toContain('judged by waiting for CPUs (steal, ready time or pressure), not by L3 cache');
    applyActions(createTestWorld(world), actions);
  });

  it('CPU pressure of the host counts where no instance has steal', async () => {
    expect(await moves({ host_cpu_pressure: { Node_1: 40, Node_0: 1 } })).toEqual(away);
    expect(await moves({ host_cpu_pressure: { Node_1: 25 } })).toEqual([]);
    expect(await moves({ host_cpu_pressure: { Node_1: 25 } }, { pressure_threshold: 24 })).toEqual(away);
    expect(await moves({ host_cpu_pressure: { Node_1: 40 }, instance_cpu_steal: { INSTANCE_3: 2 } })).toEqual([]);
  });

  it('waiting within the threshold is no reason, even where cache is lost', async () => {
    const cache = { INSTANCE_3: 40, loud: 90 };
    expect(await moves({ instance_cpu_steal: { INSTANCE_3: 10 }, instance_l3_cache_usage: cache })).toEqual([]);
    expect(await moves({ instance_cpu_steal: { INSTANCE_3: 10 } }, { steal_threshold: 9 })).toEqual(away);
  });

  it('goes to no host that would be crowded itself', async () => {
    const busy = { ...world, instances: [...(world.instances ?? []), instance('Y', 'Node_2', { vcpus: 40 })] };
    const steal = { INSTANCE_3: 23 };
    const metrics = { instance_cpu_steal: steal, instance_cpu_usage: { ...usage, X: 10, Y: 90 } };
    expect(await moves(metrics, {}, busy)).toEqual([{ instance: 'loud', from: 'Node_1', to: 'Node_0' }]);
  });

  it('does not take a host with unknown load for calm', async () => {
    const instances = [
      ...(world.instances ?? []),
      ...['Y', 'Z'].map((name) => instance(name, 'Node_2', { vcpus: 20 })),
    ];
    const { actions, report } = await judge({ instance_cpu_steal: { INSTANCE_3: 23 } }, {}, { ...world, instances });
    expect(movesOf(actions)).toEqual([{ instance: 'loud', from: 'Node_1', to: 'Node_0' }]);
    expect(report.blocked).toContainEqual({ constraint: 'coverage', count: 1, examples: ['Node_2'] });
    expect(report.notes.join()).toMatch(/1 host is left alone as source and as destination/);
  });

  it('is judged by cache when configured, and required when configured', async () => {
    const steal = { instance_cpu_steal: { INSTANCE_3: 23 } };
    await expect(judge(steal, { signal: 'cache' })).rejects.toThrow(/instance_l3_cache_usage/);
    await expect(judge({ instance_l3_cache_usage: { X: 1 } }, { signal: 'steal' })).rejects.toThrow(
      /instance_cpu_steal or host_cpu_pressure/,
    );
  });
});
