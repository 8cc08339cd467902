import fc from 'fast-check';
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
import { packedAsInWatcher } from '../testing/watcher-scenarios.ts';
import { basicWindows } from './parameters.ts';
import { basicStrategy, scoreOf } from './strategy.ts';

const host = (hostname: string, changes = {}) => ({ hostname, vcpus: 40, memory: 132, disk: 250, ...changes });
const vm = (name: string, on: string, changes = {}) => ({ name, host: on, vcpus: 10, memory: 2, disk: 20, ...changes });

/** Four hosts of 16 vcpus. Three small instances on the first, one on each other. */
const scenario8: TestWorld = {
  hosts: [0, 1, 2, 3].map((index) => ({ hostname: `h${index}`, vcpus: 16, memory: 64, disk: 250 })),
  instances: ['h0', 'h0', 'h0', 'h1', 'h2', 'h3'].map((on, index) => vm(`i${index}`, on, { vcpus: 2 })),
};
const metrics8: TestMetrics = { host_cpu_usage: { h0: 7, h1: 7, h2: 80, h3: 5 }, instance_cpu_usage: 5 };

/** Watcher's order of hosts, to the last place, unless the parameters say something else. */
const asInWatcher = { ...packedAsInWatcher, host_order: 'watcher' };

function plan(world: TestWorld, metrics: TestMetrics, parameters = {}) {
  return runStrategy(basicStrategy, {
    snapshot: createTestWorld(world),
    metrics,
    parameters: { ...asInWatcher, ...parameters },
  });
}

async function outcome(world: TestWorld, metrics: TestMetrics, parameters = {}) {
  const { actions, indicators } = await plan(world, metrics, parameters);
  return {
    moves: movesOf(actions).map(({ instance, from, to }) => `${instance} ${from}>${to}`),
    disabled: actions.flatMap(({ actionType, inputParameters: { resource_name: name, state, disabled_reason } }) =>
      actionType === 'change_nova_service_state' ? [`${name} ${state} ${disabled_reason}`] : [],
    ),
    counts: [
      indicators.compute_nodes_count,
      indicators.released_compute_nodes_count,
      indicators.instance_migrations_count,
    ],
  };
}

const cpuOnly = (vcpus: number, percent: number) =>
  scoreOf({ vcpus, memory: 2, disk: 20 }, { vcpus: (vcpus * percent) / 100, memory: 0, disk: 0 });

describe('score of basic', () => {
  it.each([
    ['node_0 at 7 %', cpuOnly(40, 7), 0.02333],
    ['node_2 at 80 %', cpuOnly(40, 80), 0.26667],
    ['I0 at 7 %', cpuOnly(10, 7), 0.02333],
    ['I2 at 10 %', cpuOnly(12, 10), 0.03333],
    ['I6 at 8 %', cpuOnly(10, 8), 0.02667],
    ['I7 at 4 %', cpuOnly(10, 4), 0.01333],
    [
      'an instance without disk',
      scoreOf({ vcpus: 4, memory: 2, disk: 0 }, { vcpus: 0.28, memory: 0, disk: 0 }),
      0.02333,
    ],
    ['all three resources', scoreOf({ vcpus: 10, memory: 2, disk: 20 }, { vcpus: 16, memory: 8, disk: 80 }), 3.2],
  ])('%s', (_, score, expected) => {
    expect(score).toBeCloseTo(expected, 5);
  });

  it('takes the deprecated aggregation of nodes when it is given', () => {
    const parameters = { migration_attempts: 0, period: 1, granularity: 1 };
    const method = { instance: 'mean', compute_node: 'mean', node: 'min' } as const;
    expect(basicWindows({ ...parameters, aggregation_method: method }).hosts.aggregate).toBe('min');
    expect(basicWindows({ ...parameters, aggregation_method: { ...method, node: '' } }).hosts.aggregate).toBe('mean');
  });
});

describe('basic', () => {
  it.each([
    [
      'S3: two hosts with one instance each become one',
      { hosts: [host('a'), host('b')], instances: [vm('x', 'a'), vm('y', 'b')] },
      { host_cpu_usage: { a: 10, b: 20 }, instance_cpu_usage: 5 },
      { moves: ['x a>b'], disabled: ['a disabled watcher_disabled'], counts: [2, 1, 1] },
    ],
    [
      'S8: three of four hosts are freed, 75 %',
      scenario8,
      metrics8,
      {
        moves: ['i5 h3>h2', 'i3 h1>h2', 'i0 h0>h2', 'i1 h0>h2', 'i2 h0>h2'],
        disabled: ['h3', 'h1', 'h0'].map((name) => `${name} disabled watcher_disabled`),
        counts: [4, 3, 5],
      },
    ],
    ['S4: one empty host', { hosts: [host('a')] }, {}, { moves: [], disabled: [], counts: [1, 0, 0] }],
    [
      'disabled hosts are neither emptied nor filled (Watcher moves between them)',
      {
        hosts: ['a', 'b'].map((name) => host(name, { status: 'disabled', disabledReason: 'watcher_disabled' })),
        instances: [vm('x', 'a'), vm('y', 'b')],
      },
      { host_cpu_usage: 10, instance_cpu_usage: 5 },
      { moves: [], disabled: [], counts: [0, 0, 0] },
    ],
    [
      'a host that cannot be emptied keeps all (Watcher moves what can go, and frees nothing)',
      {
        hosts: [host('a', { vcpus: 30 }), host('b', { vcpus: 30 })],
        instances: [vm('x', 'a'), vm('y', 'a', { vcpus: 20 }), vm('z', 'b', { vcpus: 20 })],
      },
      { host_cpu_usage: { a: 5, b: 20 }, instance_cpu_usage: 5 },
      { moves: [], disabled: [], counts: [2, 0, 0] },
    ],
    [
      'a stopped instance goes along, cold (in Watcher it keeps its host)',
      { hosts: [host('a'), host('b')], instances: [vm('x', 'a', { state: 'stopped' }), vm('y', 'b')] },
      { host_cpu_usage: { a: 1, b: 20 }, instance_cpu_usage: 5 },
      { moves: ['x a>b'], disabled: ['a disabled watcher_disabled'], counts: [2, 1, 1] },
    ],
    [
      'measured CPU must fit (Watcher fills up to the overcommitted capacity)',
      { hosts: [host('a', { vcpusRatio: 4 }), host('b', { vcpusRatio: 4 })], instances: [vm('x', 'a'), vm('y', 'b')] },
      { host_cpu_usage: { a: 85, b: 90 }, instance_cpu_usage: 80 },
      { moves: [], disabled: [], counts: [2, 0, 0] },
    ],
  ] as [string, TestWorld, TestMetrics, object][])('%s', async (_, world, metrics, expected) => {
    expect(await outcome(world, metrics)).toEqual(expected);
  });

  it.each([
    [1, ['i5 h3>h2', 'i3 h1>h2'], ['h3', 'h1']],
    [2, ['i5 h3>h2'], ['h3']],
    [3, [], []],
    [9, [], []],
  ])('S8 with a reserve of %i hosts', async (reserve, moves, freed) => {
    const result = await outcome(scenario8, metrics8, { reserve_hosts: reserve });
    const disabled = freed.map((name) => `${name} disabled watcher_disabled`);
    expect(result).toEqual({ moves, disabled, counts: [4, freed.length, moves.length] });
  });

  it.each<[string, Record<string, string>, boolean, number]>([
    ['is not asked by default', { role: 'web' }, false, 1],
    ['keeps an instance that has some without it', { role: 'web' }, true, 0],
    ['keeps one where it says no (Watcher moved it)', { optimize: 'False' }, true, 0],
    ['lets one go where it says yes', { role: 'web', optimize: 'true' }, true, 1],
    ['lets one go that has none', {}, true, 1],
  ])('metadata optimize %s', async (_, metadata, check, moves) => {
    const world = {
      hosts: [host('a'), host('b')],
      instances: [vm('x', 'a', { metadata }), vm('y', 'b', { metadata })],
    };
    const metrics = { host_cpu_usage: { a: 10, b: 20 }, instance_cpu_usage: 5 };
    const { actions, report } = await plan(world, metrics, { check_optimize_metadata: check });

    expect(movesOf(actions)).toHaveLength(moves);
    expect(report.instances.eligible).toBe(moves * 2);
    const blocked = report.blocked.find(({ constraint }) => constraint === 'optimize-metadata');
    expect(blocked?.examples.toSorted() ?? []).toEqual(moves === 0 ? ['a', 'b'] : []);
  });

  it('gives up after more than migration_attempts failures in a row', async () => {
    const world: TestWorld = {
      hosts: ['a', 'b', 'c', 'd'].map((name) => host(name)),
      instances: [
        vm('locked1', 'a', { locked: true }),
        vm('locked2', 'b', { locked: true }),
        vm('free', 'c'),
        vm('base', 'd'),
      ],
    };
    const metrics = { host_cpu_usage: { a: 1, b: 2, c: 3, d: 4 }, instance_cpu_usage: 1 };
    expect((await outcome(world, metrics, { migration_attempts: 1 })).moves).toEqual([]);
    expect((await outcome(world, metrics, { migration_attempts: 2 })).moves).toEqual(['free c>b', 'base d>b']);
    const { report } = await plan(world, metrics, { migration_attempts: 1 });
    expect(report.blocked).toContainEqual({ constraint: 'instance-locked', count: 2, examples: ['a', 'b'] });
    expect(report.emptyBecause).toContain('no compute node can be emptied');
  });

  it('explains with loads, allocations and refused hosts', async () => {
    const { actions } = await plan(scenario8, metrics8);
    expect(actions[0]?.reason.summary).toBe(
      'i5 leaves h3, which is to be freed, for h2, the most loaded host that takes it; its CPU goes from 80 % to 80.6 %.',
    );
    expect(actions[0]?.reason.values.map(({ quantity, subject }) => `${quantity} ${subject}`)).toEqual([
      'host_cpu_usage h3',
      'host_cpu_usage h2',
      'vcpus_allocated h3',
      'memory_allocated h3',
      'vcpus_allocated h2',
      'memory_allocated h2',
    ]);
    expect(actions[0]?.reason.rejected).toEqual([{ alternative: 'h0', because: 'to-be-freed', others: 0 }]);
  });

  it('fails without measurements and reports single missing ones', async () => {
    await expect(plan(scenario8, {})).rejects.toThrow(MetricsMissingError);
    const { report } = await plan(scenario8, { host_cpu_usage: { h0: 7 }, instance_cpu_usage: { i0: 1 } });
    expect(report.blocked).toContainEqual(expect.objectContaining({ constraint: 'host-without-metric', count: 3 }));
    expect(report.blocked).toContainEqual(expect.objectContaining({ constraint: 'instance-without-metric', count: 5 }));
  });

  it('neither empties nor fills hosts of which too little is measured', async () => {
    const measured = { i0: 5, i1: 5, i2: 5, i4: 5 };
    const { moves, disabled } = await outcome(scenario8, { host_cpu_usage: { h0: 7 }, instance_cpu_usage: measured });
    expect(moves).toEqual(['i4 h2>h0']);
    expect(disabled).toEqual(['h2 disabled watcher_disabled']);
    const { report } = await plan(scenario8, { host_cpu_usage: { h0: 7 }, instance_cpu_usage: measured });
    expect(report.blocked).toContainEqual({ constraint: 'coverage', count: 2, examples: ['h1', 'h3'] });
  });

  it('keeps the promises of a strategy', async () => {
    for (const parameters of [{}, packedAsInWatcher])
      await assertWellBehaved(basicStrategy, { snapshot: createTestWorld(scenario8), metrics: metrics8, parameters });
  });

  it('proposes only moves that Nova accepts, and frees the reported hosts, on random worlds', async () => {
    const worlds = fc.record({
      hosts: fc.array(fc.record({ vcpus: fc.integer({ min: 4, max: 12 }), load: fc.integer({ min: 0, max: 60 }) }), {
        minLength: 1,
        maxLength: 6,
      }),
      instances: fc.array(
        fc.record({ vcpus: fc.integer({ min: 1, max: 5 }), on: fc.nat(), locked: fc.boolean(), grouped: fc.boolean() }),
        { maxLength: 15 },
      ),
    });
    const packings = fc.constantFrom({}, packedAsInWatcher, asInWatcher);
    await fc.assert(
      fc.asyncProperty(worlds, packings, async ({ hosts, instances }, parameters) => {
        const snapshot = createTestWorld({
          hosts: hosts.map(({ vcpus }, index) => ({ hostname: `h${index}`, vcpus, vcpusRatio: 2 })),
          instances: instances.map(({ vcpus, on, locked, grouped }, index) => ({
            name: `i${index}`,
            vcpus,
            host: `h${on % hosts.length}`,
            locked: locked && index % 3 === 0,
            ...(grouped ? { group: 'g' } : {}),
          })),
          groups: [{ name: 'g', policy: 'anti-affinity', maxServerPerHost: 2 }],
        });
        const metrics = {
          host_cpu_usage: Object.fromEntries(hosts.map(({ load }, index) => [`h${index}`, load])),
          instance_cpu_usage: 10,
        };
        const { actions, indicators } = await runStrategy(basicStrategy, { snapshot, metrics, parameters });
        const after = applyActions(snapshot, actions);
        const moved = movesOf(actions).map(({ instance }) => instance);
        expect(new Set(moved).size).toBe(moved.length);
        const disabled = actions.filter(({ actionType }) => actionType === 'change_nova_service_state');
        expect(disabled).toHaveLength(indicators.released_compute_nodes_count ?? -1);
        for (const { inputParameters } of disabled)
          expect(after.instancesOn(after.hostRow(String(inputParameters.resource_name)) ?? -1)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
