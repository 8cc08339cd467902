import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWhatIf, type WhatIf } from '#libs/cluster-model';
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
import { workloadBalanceStrategy } from './strategy.ts';

const host = (hostname: string, changes = {}) => ({ hostname, vcpus: 40, memory: 132, disk: 250, ...changes });
const vm = (name: string, on: string, changes = {}) => ({
  name,
  host: on,
  vcpus: 10,
  memory: 32,
  disk: 20,
  ...changes,
});

const scenario6: TestWorld = {
  hosts: [host('Node_0'), host('Node_1')],
  instances: [vm('X', 'Node_0'), vm('I1', 'Node_0'), vm('I3', 'Node_1'), vm('I4', 'Node_1')],
};
const metrics6: TestMetrics = {
  instance_cpu_usage: { I1: 80, X: 50, I3: 20, I4: 10 },
  instance_ram_usage: { I1: 40, X: 9, I3: 12, I4: 12 },
};

async function balance(world: TestWorld, metrics: TestMetrics, parameters = {}) {
  const result = await runStrategy(workloadBalanceStrategy, { snapshot: createTestWorld(world), metrics, parameters });
  const moves = movesOf(result.actions).map(({ instance, from, to }) => `${instance} ${from}>${to}`);
  return { ...result, moves };
}

describe('workload_balance', () => {
  it('says why the spread grows where hosts of different sizes exchange instances', async () => {
    const world: TestWorld = {
      hosts: [host('over', { vcpus: 100 }), host('small', { vcpus: 50 }), host('full', { vcpus: 100 })],
      instances: [
        ...['A', 'R'].map((name) => vm(name, 'over', { vcpus: 20 })),
        vm('B', 'small', { vcpus: 20 }),
        vm('C', 'small', { vcpus: 1 }),
        vm('big', 'full', { memory: 132 }),
      ],
    };
    const usage = { instance_cpu_usage: { A: 70, R: 90, B: 59.5, C: 45, big: 50 } };
    const { moves, report, indicators } = await balance(world, usage, { threshold: 30 });
    expect(moves).toEqual(['A over>small', 'B small>over']);
    expect(report.notes.at(-1)).toMatch(/11\.40 %.*11\.51 %/);
    expect(indicators.standard_deviation_after_audit).toBeCloseTo(0.1151, 4);
    const { report: evener } = await balance(scenario6, metrics6, { threshold: 30 });
    expect(evener.notes.join()).not.toContain('rises');
  });

  it.each([
    ['S6 cpu, 30 %', { threshold: 30 }, ['X Node_0>Node_1'], '1 host has reached', '8 vcpus'],
    ['S6 cpu, 25 %', { threshold: 25 }, ['X Node_0>Node_1'], '1 host has reached', '8 vcpus'],
    [
      'S6 ram, 30 %',
      { metrics: 'instance_ram_usage', threshold: 30 },
      ['X Node_0>Node_1'],
      '1 host has reached',
      '36.5 MB',
    ],
    ['S6 cpu, 33 %', { threshold: 33 }, [], '0 hosts have reached', '8 vcpus'],
    // Both at or above the threshold: nowhere to go.
    ['S6 cpu, 5 %', { threshold: 5 }, [], '2 hosts have reached', '8 vcpus'],
  ])('%s', async (_, parameters, expected, hosts, average) => {
    const { moves, report } = await balance(scenario6, metrics6, parameters);
    expect(moves).toEqual(expected);
    expect(report.notes[0]).toContain(hosts);
    expect(report.notes[0]).toContain(average);
    expect(report.emptyBecause === null).toBe(expected.length > 0);
  });

  it('S4: one empty host gives an empty plan with its reason', async () => {
    const { moves, report } = await balance({ hosts: [host('a')] }, {});
    expect(moves).toEqual([]);
    expect(report.emptyBecause).toContain('25 %');
  });

  it('reports the loads: 32.5 % and 7.5 % before, 20 % each after', async () => {
    const { actions, indicators } = await balance(scenario6, metrics6);
    expect(actions[0]?.reason.values.slice(0, 2)).toEqual([
      { quantity: 'host_cpu_usage', subject: 'Node_0', unit: '%', before: 32.5, after: 20 },
      { quantity: 'host_cpu_usage', subject: 'Node_1', unit: '%', before: 7.5, after: 20 },
    ]);
    expect(actions[0]?.inputParameters).toMatchObject({ migration_type: 'live', source_node: 'Node_0' });
    expect(indicators).toEqual({
      instance_migrations_count: 1,
      instances_count: 4,
      standard_deviation_before_audit: 0.125,
      standard_deviation_after_audit: 0,
    });
  });

  it('S6 by memory: 37.1 % and 18.2 % before, 30.3 % and 25 % after', async () => {
    const { actions } = await balance(scenario6, metrics6, { metrics: 'instance_ram_usage', threshold: 30 });
    const [source, destination] = actions[0]?.reason.values ?? [];
    expect([source?.before, source?.after]).toEqual([expect.closeTo(37.12, 1), expect.closeTo(30.3, 1)]);
    expect([destination?.before, destination?.after]).toEqual([expect.closeTo(18.18, 1), expect.closeTo(25, 1)]);
  });

  it.each(['excluded', 'locked', 'busy'])('S6: nothing is chosen when all instances are %s', async (flag) => {
    const instances = (scenario6.instances ?? []).map((instance) => ({ ...instance, [flag]: true }));
    const { moves, report } = await balance({ ...scenario6, instances }, metrics6, { threshold: 30 });
    expect(moves).toEqual([]);
    expect(report.blocked).toContainEqual(expect.objectContaining({ constraint: `instance-${flag}` }));
  });

  it('relieves every host in one audit (Watcher moves one instance per audit)', async () => {
    const world: TestWorld = {
      hosts: ['a', 'b', 'c', 'd'].map((name) => host(name)),
      instances: ['a', 'a', 'a', 'b', 'b', 'b'].map((on, index) => vm(`i${index}`, on, { memory: 2 })),
    };
    const { moves } = await balance(world, { instance_cpu_usage: 60 });
    expect(moves).toEqual(['i0 a>c', 'i3 b>d']);
  });

  it('takes hosts of which little is measured for neither full nor empty (Watcher fails)', async () => {
    const metrics = { instance_cpu_usage: { I1: 80, X: 50, I3: 20 } };
    const { moves, report } = await balance(scenario6, metrics);
    expect(moves).toEqual([]);
    expect(report.blocked).toContainEqual({ constraint: 'instance-without-metric', count: 1, examples: ['I4'] });
    expect(report.blocked).toContainEqual({ constraint: 'coverage', count: 1, examples: ['Node_1'] });
    expect(report.emptyBecause).not.toBeNull();
  });

  it('counts an instance without a measurement by the mean of the others, and never moves it', async () => {
    const parameters = { minimum_coverage: 50 };
    const { moves, actions, report } = await balance(
      scenario6,
      { instance_cpu_usage: { I1: 80, X: 30, I3: 10 } },
      parameters,
    );
    expect(moves).toEqual(['X Node_0>Node_1']);
    // (10 % + the mean of 40 %) of 10 vcpus each, on 40 CPUs.
    expect(actions[0]?.reason.values[1]).toMatchObject({ subject: 'Node_1', before: 12.5 });
    expect(report.notes).toContainEqual(expect.stringContaining('40 %'));
    const held = {
      ...scenario6,
      instances: (scenario6.instances ?? []).map((one) => (one.name === 'I1' ? { ...one, locked: true } : one)),
    };
    expect((await balance(held, { instance_cpu_usage: { I1: 80, I3: 0, I4: 0 } }, parameters)).moves).toEqual([]);
  });

  it('sends nothing to hosts that do not report: ten at 80 %, of which one is measured', async () => {
    const names = Array.from({ length: 10 }, (_, row) => `h${row}`);
    const world: TestWorld = {
      hosts: names.map((name) => host(name, { vcpusRatio: 2 })),
      instances: names.flatMap((on) => [0, 1, 2, 3].map((row) => vm(`${on}-${row}`, on, { memory: 2 }))),
    };
    const measured = Object.fromEntries([0, 1, 2, 3].map((row) => [`h0-${row}`, 80]));
    const { moves, report } = await balance(world, { instance_cpu_usage: measured });
    expect(moves).toEqual([]);
    expect(report.blocked).toContainEqual(expect.objectContaining({ constraint: 'coverage', count: 9 }));
  });

  it('exchanges instances of full hosts through a third host only if its load is measured', async () => {
    const world: TestWorld = {
      hosts: [host('a'), host('b'), host('c', { memory: 264 })],
      instances: [
        ...['A', 'A2'].map((name) => vm(name, 'a', { memory: 66 })),
        ...['B', 'B2'].map((name) => vm(name, 'b', { memory: 66 })),
        vm('Z', 'c', { memory: 2 }),
      ],
    };
    const known = { A: 80, A2: 30, B: 10, B2: 10 };
    const measured = await balance(world, { instance_cpu_usage: { ...known, Z: 99 } });
    expect(measured).toMatchObject({ moves: ['A2 a>b', 'B b>a'], leftAlone: [] });
    expect(await balance(world, { instance_cpu_usage: known })).toMatchObject({ moves: [], leftAlone: ['c'] });
  });

  it('takes an infinite value for none (it ended in "NaN is not a finite number")', async () => {
    const infinite = { instance_cpu_usage: { I1: Number.POSITIVE_INFINITY, X: 50, I3: 20, I4: 10 } };
    const { moves, report } = await balance(scenario6, infinite);
    expect(moves).toEqual([]);
    expect(report.blocked).toContainEqual({ constraint: 'instance-without-metric', count: 1, examples: ['I1'] });
  });

  it('fails without any measurement (Watcher succeeds with an empty plan)', async () => {
    await expect(balance(scenario6, {})).rejects.toThrow(MetricsMissingError);
  });

  it('tries the next instance when the best one finds no destination (Watcher gives up)', async () => {
    const world: TestWorld = {
      ...scenario6,
      instances: [...(scenario6.instances ?? []), vm('Y', 'Node_0')].map((instance) =>
        instance.name === 'X' || instance.host === 'Node_1' ? { ...instance, locked: true } : instance,
      ),
    };
    const cpu = { I1: 80, X: 30, Y: 20, I3: 20, I4: 10 };
    const { moves, report } = await balance(world, { instance_cpu_usage: cpu });
    expect(moves).toEqual(['Y Node_0>Node_1']);
    expect(report.blocked).toContainEqual({ constraint: 'instance-locked', count: 1, examples: ['X'] });
  });

  it('respects hosts of different sizes: the fair share follows the size', async () => {
    const world: TestWorld = {
      hosts: [host('big', { vcpus: 80 }), host('small', { vcpus: 10 })],
      instances: [vm('x', 'small', { vcpus: 4 }), vm('y', 'small', { vcpus: 4 }), vm('z', 'big', { vcpus: 4 })],
    };
    const { moves } = await balance(world, { instance_cpu_usage: 50 });
    expect(moves).toEqual(['x small>big']);
  });

  it('refuses an unknown metric (Watcher takes any text)', async () => {
    await expect(balance(scenario6, metrics6, { metrics: 'host_cpu_usage' })).rejects.toThrow(/must be one of/);
  });

  it('keeps the promises of a strategy', async () => {
    await assertWellBehaved(workloadBalanceStrategy, { snapshot: createTestWorld(scenario6), metrics: metrics6 });
  });

  it('proposes only moves that Nova accepts, and no destination reaches the threshold, on random worlds', async () => {
    const instance = fc.record({
      vcpus: fc.integer({ min: 1, max: 4 }),
      on: fc.nat({ max: 4 }),
      cpu: fc.integer({ min: 0, max: 100 }),
      grouped: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(instance, { minLength: 1, maxLength: 20 }), async (instances) => {
        const snapshot = createTestWorld({
          hosts: [0, 1, 2, 3, 4].map((index) => ({ hostname: `h${index}`, vcpus: 8 + index, vcpusRatio: 3 })),
          instances: instances.map(({ vcpus, on, grouped }, index) => ({
            name: `i${index}`,
            vcpus,
            host: `h${on}`,
            ...(grouped ? { group: 'g' } : {}),
          })),
          groups: [{ name: 'g', policy: 'anti-affinity', maxServerPerHost: 2 }],
        });
        const instance_cpu_usage = Object.fromEntries(instances.map(({ cpu }, index) => [`i${index}`, cpu]));
        const result = await runStrategy(workloadBalanceStrategy, { snapshot, metrics: { instance_cpu_usage } });
        const end = applyActions(snapshot, result.actions);
        const loadOf = (model: WhatIf, host: number) =>
          model
            .instancesOn(host)
            .reduce((sum, row) => sum + ((instances[row]?.cpu ?? 0) * (instances[row]?.vcpus ?? 0)) / 100, 0) /
          (8 + host);
        const begin = createWhatIf(snapshot);
        for (let host = 0; host < 5; host++)
          if (loadOf(begin, host) < 0.25) expect(loadOf(end, host)).toBeLessThan(0.25 + 1e-9);
        const { standard_deviation_before_audit: before = 0, standard_deviation_after_audit: after = 0 } =
          result.indicators;
        expect(after).toBeLessThanOrEqual(before + 1e-9);
        for (const { reason } of result.actions)
          if (reason.rule !== 'swap') expect(reason.values[1]?.after).toBeLessThan(25);
      }),
      { numRuns: 150 },
    );
  });
});
