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
import { metricsM, packedAsInWatcher, scenarioM1, scenarioM2, scenarioM3 } from '../testing/watcher-scenarios.ts';
import { vmWorkloadConsolidationStrategy } from './strategy.ts';

const idle: TestMetrics = { instance_cpu_usage: 10 };

function consolidate(world: TestWorld, metrics: TestMetrics = idle) {
  const parameters = packedAsInWatcher;
  return runStrategy(vmWorkloadConsolidationStrategy, { snapshot: createTestWorld(world), metrics, parameters });
}

async function serviceChanges(world: TestWorld, metrics: TestMetrics = idle): Promise<string[]> {
  const { actions } = await consolidate(world, metrics);
  return actions
    .filter(({ actionType }) => actionType === 'change_nova_service_state')
    .map(({ inputParameters: { state, resource_name } }) => `${state} ${resource_name}`);
}

describe('vm_workload_consolidation', () => {
  it('empties the cheaper of two hosts and disables it (M1)', async () => {
    const { actions, indicators } = await consolidate(scenarioM1, metricsM);
    expect(actions.map(({ actionType, inputParameters }) => [actionType, inputParameters])).toMatchObject([
      [
        'migrate',
        {
          migration_type: 'live',
          resource_name: 'INSTANCE_0',
          source_node: 'Node_0',
          destination_node: 'Node_1',
        },
      ],
      [
        'change_nova_service_state',
        { state: 'disabled', resource_name: 'Node_0', disabled_reason: 'watcher_disabled' },
      ],
    ]);
    expect(indicators).toEqual({
      compute_nodes_count: 2,
      released_compute_nodes_count: 1,
      instance_migrations_count: 1,
    });
  });

  const small = { vcpus: 1, memory: 1024, disk: 1 };
  const thin: TestWorld = {
    hosts: ['a', 'b', 'c', 'd'].map((hostname) => ({ hostname, vcpus: 16 })),
    instances: ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'].map((host, index) => ({ name: `vm${index}`, host, ...small })),
  };

  it.each([
    [{}, 3, 6, /3 hosts are freed/],
    [{ reserve_hosts: 1 }, 2, 4, /2 hosts are freed/],
    [{ reserve_hosts: 3 }, 0, 0, /only the requested reserve can be emptied: 3 hosts/],
    [{ reserve_hosts: 9 }, 0, 0, /only the requested reserve can be emptied: 3 hosts/],
    [{ migration_budget: 4 }, 2, 4, /left to the next audit by the budget/],
    [{ migration_budget: 3 }, 1, 2, /left to the next audit by the budget/],
    [{ migration_budget: 1 }, 0, 0, /none can be emptied completely with the budget of 1 migration(;|$)/],
    [{ migration_budget: 5, reserve_hosts: 1 }, 1, 2, /left to the next audit by the budget/],
  ])('frees no more than reserve and budget %o allow, and says so', async (parameters, freed, migrations, reported) => {
    const snapshot = createTestWorld(thin);
    const result = await runStrategy(vmWorkloadConsolidationStrategy, {
      snapshot,
      metrics: idle,
      parameters: { ...packedAsInWatcher, ...parameters },
    });
    expect(result.indicators).toMatchObject({
      released_compute_nodes_count: freed,
      instance_migrations_count: migrations,
    });
    expect(result.actions).toHaveLength(freed + migrations);
    expect([result.report.emptyBecause, ...result.report.notes].join('; ')).toMatch(reported);
    applyActions(snapshot, result.actions);
  });

  // Watcher moves the three smallest (1, 2 and 3 of 21 used vcpus). The one of 5 relieves the 16 physical CPUs alone.
  it('relieves an overloaded host with as few moves as it can (M2)', async () => {
    const { actions, indicators } = await consolidate(scenarioM2, metricsM);
    expect(movesOf(actions)).toEqual([{ instance: 'INSTANCE_5', from: 'Node_0', to: 'Node_1' }]);
    expect(indicators).toMatchObject({ instance_migrations_count: 1 });
    expect(actions[0]?.reason.summary).toContain('Node_0 uses 21 of 16 physical CPUs');
  });

  // Watcher moves INSTANCE_6, 7 and 8 and takes the move of 7 back. Moving the one of 8 vcpus alone is enough.
  it('moves nothing back and forth (M3)', async () => {
    const { actions } = await consolidate(scenarioM3, metricsM);
    expect(movesOf(actions)).toEqual([{ instance: 'INSTANCE_9', from: 'Node_0', to: 'Node_1' }]);
  });

  // In M2 the two other hosts are empty: they are disabled, since they are not needed.
  it('disables hosts that are empty already (M2)', async () => {
    expect(await serviceChanges(scenarioM2, metricsM)).toEqual(['disabled Node_2', 'disabled Node_3']);
  });

  const two = (hosts: object, ...names: object[]): TestWorld => ({
    hosts: ['a', 'b'].map((hostname) => ({ hostname, ...hosts })),
    instances: names.map((changes, index) => ({ name: `i${index}`, host: index === 0 ? 'a' : 'b', ...changes })),
  });

  it.each<[string, TestWorld, TestMetrics, string[]]>([
    ['active live', two({}, {}, { memory: 4096 }), idle, ['live']],
    ['paused live', two({}, { state: 'paused' }, { memory: 4096 }), idle, ['live']],
    ['stopped cold', two({}, { state: 'stopped' }, { memory: 4096 }), idle, ['cold']],
    ['instances in error not', two({}, { state: 'error' }, { state: 'error' }), idle, []],
    ['excluded instances not', two({}, { excluded: true }, { excluded: true }), idle, []],
    ['no more than allocations admit', two({ vcpus: 4 }, { vcpus: 3 }, { vcpus: 3 }), idle, []],
    ['up to the overcommitted capacity', two({ vcpus: 4, vcpusRatio: 2 }, { vcpus: 3 }, { vcpus: 3 }), idle, ['live']],
    [
      'no more real use than physical CPUs carry, whatever the ratio',
      two({ vcpus: 4, vcpusRatio: 16 }, { vcpus: 3 }, { vcpus: 3 }),
      { instance_cpu_usage: 90 },
      [],
    ],
    [
      'no more real use than physical memory carries',
      two({ memory: 4000, memoryRatio: 2 }, { memory: 2500 }, { memory: 2500 }),
      { ...idle, instance_ram_usage: 2100 },
      [],
    ],
    [
      'an instance without a value as if it used all of its size',
      two({ vcpus: 4, vcpusRatio: 16 }, { vcpus: 3 }, { vcpus: 3 }),
      { instance_cpu_usage: { i0: 40 } },
      [],
    ],
    [
      'an instance with a measured 0 as idle',
      two({ vcpus: 4, vcpusRatio: 16 }, { vcpus: 3 }, { vcpus: 3 }),
      { instance_cpu_usage: { i0: 0, i1: 100 } },
      ['live'],
    ],
    [
      'by what the host itself uses, when that is more',
      two({ vcpus: 4, vcpusRatio: 16 }, { vcpus: 3 }, { vcpus: 3 }),
      { ...idle, host_cpu_usage: 99 },
      [],
    ],
  ])('moves %s', async (_, world, metrics, expected) => {
    const { actions } = await consolidate(world, metrics);
    const moves = actions.filter(({ actionType }) => actionType === 'migrate');
    expect(moves.map(({ inputParameters }) => inputParameters.migration_type)).toEqual(expected);
  });

  it('empties a host completely or not at all', async () => {
    const world: TestWorld = {
      hosts: [
        { hostname: 'a', vcpus: 8 },
        { hostname: 'b', vcpus: 8 },
      ],
      instances: [
        { name: 'small', host: 'a' },
        { name: 'stuck', host: 'a', locked: true },
        { name: 'large', host: 'b', vcpus: 8 },
      ],
    };
    const { actions, report } = await consolidate(world);
    expect(actions).toEqual([]);
    expect(report.emptyBecause).toBe('no host is overloaded, and no host can be emptied into the others completely');
    expect(report.blocked).toEqual(
      expect.arrayContaining([
        { constraint: 'instance-locked', count: 1, examples: ['stuck'] },
        { constraint: 'vcpu', count: 1, examples: ['large'] },
      ]),
    );
  });

  it('relieves, fills and frees no host of which too little is measured', async () => {
    const world: TestWorld = {
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpus: 4, vcpusRatio: 4 })),
      instances: ['a', 'a', 'b', 'c'].map((on, row) => ({ name: `i${row}`, host: on, vcpus: 3 })),
    };
    const run = (metrics: TestMetrics, parameters = {}) =>
      runStrategy(vmWorkloadConsolidationStrategy, { snapshot: createTestWorld(world), metrics, parameters });
    const { actions, report } = await run({ instance_cpu_usage: { i2: 10 } });
    expect(actions).toEqual([]);
    expect(report.blocked).toContainEqual({ constraint: 'coverage', count: 2, examples: ['a', 'c'] });
    expect(report.notes).toContain(
      '2 hosts are left alone as source and as destination: less than 80 % of the allocations there is measured',
    );
    expect((await run({ instance_cpu_usage: { i2: 10 } }, { minimum_coverage: 0 })).actions).not.toEqual([]);
    expect((await run({ host_cpu_usage: 10 })).report.blocked).not.toContainEqual(
      expect.objectContaining({ constraint: 'coverage' }),
    );
  });

  it('does not touch hosts with allocations that belong to no instance', async () => {
    const world = two({}, {}, { memory: 4096 });
    world.hosts = [
      { hostname: 'a', used: { vcpus: 5 } },
      { hostname: 'b', used: { vcpus: 5 } },
    ];
    expect((await consolidate(world)).report.blocked).toContainEqual({
      constraint: 'foreign-allocation',
      count: 2,
      examples: ['a', 'b'],
    });
  });

  it('leaves hosts that people disabled alone and always keeps one host', async () => {
    const world: TestWorld = {
      hosts: [{ hostname: 'a', status: 'disabled', disabledReason: 'repair' }, { hostname: 'b' }, { hostname: 'c' }],
      instances: [{ name: 'i', host: 'a' }],
    };
    expect(await serviceChanges(world)).toEqual(['disabled b']);
  });

  const overloaded = (disabledReason: string): TestWorld => ({
    hosts: [
      { hostname: 'a', vcpus: 4, vcpusRatio: 4 },
      { hostname: 'b', vcpus: 4, status: 'disabled', disabledReason },
    ],
    instances: ['x', 'y'].map((name) => ({ name, host: 'a', vcpus: 4 })),
  });

  it('enables a host again that consolidation disabled, and counts nothing as released', async () => {
    const metrics = { instance_cpu_usage: 60 };
    const { actions, indicators } = await consolidate(overloaded('watcher_disabled'), metrics);
    expect(actions.map(({ actionType }) => actionType)).toEqual(['change_nova_service_state', 'migrate']);
    expect(actions[0]?.inputParameters).toMatchObject({ state: 'enabled', resource_name: 'b' });
    expect(indicators.released_compute_nodes_count).toBe(0);
  });

  it('does not enable a host that people disabled, and reports the overload', async () => {
    const { actions, report } = await consolidate(overloaded('broken'), { instance_cpu_usage: 60 });
    expect(actions).toEqual([]);
    expect(report.blocked).toContainEqual({ constraint: 'overload-remains', count: 1, examples: ['a'] });
  });

  it('explains moves with both hosts before and after', async () => {
    const { actions } = await consolidate(scenarioM1, metricsM);
    expect(actions[0]?.reason.values).toEqual([
      { quantity: 'vcpus_allocated', subject: 'Node_0', unit: '', before: 10, after: 0 },
      { quantity: 'memory_allocated', subject: 'Node_0', unit: 'MB', before: 2, after: 0 },
      { quantity: 'cpu_used', subject: 'Node_0', unit: 'vcpus', before: 1, after: 0 },
      { quantity: 'vcpus_allocated', subject: 'Node_1', unit: '', before: 10, after: 20 },
      { quantity: 'memory_allocated', subject: 'Node_1', unit: 'MB', before: 2, after: 4 },
      { quantity: 'cpu_used', subject: 'Node_1', unit: 'vcpus', before: 3, after: 4 },
    ]);
  });

  it('fails without any measurement', async () => {
    await expect(consolidate(scenarioM1, {})).rejects.toThrow(MetricsMissingError);
  });

  it('keeps the promises of a strategy', async () => {
    await assertWellBehaved(vmWorkloadConsolidationStrategy, {
      snapshot: createTestWorld(scenarioM3),
      metrics: metricsM,
      parameters: packedAsInWatcher,
    });
  });
});

const randomWorld = fc
  .record({
    hosts: fc.array(fc.record({ vcpus: fc.integer({ min: 4, max: 12 }), disabled: fc.boolean() }), {
      minLength: 2,
      maxLength: 6,
    }),
    instances: fc.array(
      fc.record({
        vcpus: fc.integer({ min: 1, max: 5 }),
        host: fc.nat(),
        cpu: fc.integer({ min: 0, max: 100 }),
        locked: fc.boolean(),
        grouped: fc.boolean(),
      }),
      { maxLength: 15 },
    ),
  })
  .map(({ hosts, instances }) => ({
    snapshot: createTestWorld({
      hosts: hosts.map(({ vcpus, disabled }, index) => ({
        hostname: `h${index}`,
        vcpus,
        vcpusRatio: 2,
        ...(disabled && index > 0 ? { status: 'disabled', disabledReason: 'watcher_disabled' } : {}),
      })),
      instances: instances.map(({ vcpus, host, locked, grouped }, index) => ({
        name: `i${index}`,
        vcpus,
        host: `h${host % hosts.length}`,
        locked: locked && index % 3 === 0,
        ...(grouped ? { group: 'g' } : {}),
      })),
      groups: [{ name: 'g', policy: 'anti-affinity', maxServerPerHost: 2 }],
    }),
    metrics: {
      instance_cpu_usage: Object.fromEntries(instances.map(({ cpu }, index) => [`i${index}`, cpu])),
      host_cpu_usage: 1,
    },
  }));

describe('vm_workload_consolidation, on random worlds', () => {
  it('proposes only moves that Nova accepts, moves an instance once, and disables only empty hosts', async () => {
    await fc.assert(
      fc.asyncProperty(randomWorld, fc.constantFrom({}, packedAsInWatcher), async (world, parameters) => {
        const { actions, indicators } = await runStrategy(vmWorkloadConsolidationStrategy, { ...world, parameters });
        const after = applyActions(world.snapshot, actions);
        const moved = movesOf(actions).map(({ instance }) => instance);
        expect(new Set(moved).size).toBe(moved.length);
        for (const { actionType, inputParameters } of actions) {
          if (actionType !== 'change_nova_service_state' || inputParameters.state !== 'disabled') continue;
          expect(after.instancesOn(after.hostRow(String(inputParameters.resource_name)) as number)).toEqual([]);
        }
        expect(indicators.released_compute_nodes_count).toBeGreaterThanOrEqual(0);
        expect([...after.enabled].some((flag) => flag === 1)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
