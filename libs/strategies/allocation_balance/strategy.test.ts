import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComputeSnapshot, WhatIf } from '#libs/cluster-model';
import { stopSignal } from '#libs/plugin-kit';
import {
  applyActions,
  assertWellBehaved,
  createTestWorld,
  movesOf,
  runStrategy,
  type TestInstance,
  type TestWorld,
} from '#libs/plugin-kit/testing';
import { allocationBalanceStrategy } from './strategy.ts';

/** Hosts `h0`, `h1`, … with so many equal instances each. */
function piled(counts: number[], changes: Partial<TestInstance> = {}): TestWorld {
  return {
    hosts: counts.map((_, index) => ({ hostname: `h${index}`, vcpus: 64 })),
    instances: counts.flatMap((count, on) =>
      Array.from({ length: count }, (_, index) => ({ name: `i${on}.${index}`, host: `h${on}`, ...changes })),
    ),
  };
}

async function spread(world: TestWorld, parameters = {}) {
  const snapshot = createTestWorld(world);
  const result = await runStrategy(allocationBalanceStrategy, { snapshot, parameters });
  return { ...result, after: applyActions(snapshot, result.actions) };
}

function countsOf(model: WhatIf): number[] {
  return model.snapshot.hostInfo.map((_, row) => model.instancesOn(row).length);
}

/** The snapshot after a plan. */
function moved(snapshot: ComputeSnapshot, model: WhatIf): ComputeSnapshot {
  const used = model.snapshot.hostInfo.map((_, row) => model.used(row));
  return {
    ...snapshot,
    hosts: {
      ...snapshot.hosts,
      vcpusUsed: Float64Array.from(used, ({ vcpus }) => vcpus),
      memoryUsed: Float64Array.from(used, ({ memory }) => memory),
      diskUsed: Float64Array.from(used, ({ disk }) => disk),
    },
    instances: { ...snapshot.instances, host: model.hostOf.slice() },
  };
}

describe('allocation_balance by number of instances', () => {
  it.each([
    ['all on one host after a failover', [6, 0, 0], {}, 4, [2, 2, 2]],
    ['an odd one stays where it is', [4, 0, 0], {}, 2, [2, 1, 1]],
    ['the smallest bounds that fit are chosen: one has too few', [3, 3, 3, 1], {}, 1, [2, 3, 3, 2]],
    ['one has too many', [2, 2, 2, 4], {}, 1, [3, 2, 2, 3]],
    ['even already', [2, 3, 2, 3], {}, 0, [2, 3, 2, 3]],
    ['a wider difference is left alone', [2, 5, 3], { instance_difference: 3 }, 0, [2, 5, 3]],
    ['a wider difference needs fewer moves', [0, 6, 3], { instance_difference: 3 }, 2, [2, 4, 3]],
    ['nothing at all', [0, 0], {}, 0, [0, 0]],
    ['one host', [5], {}, 0, [5]],
  ])('%s', async (_, counts, parameters, moves, expected) => {
    const { actions, after, report } = await spread(piled(counts), parameters);
    expect(actions).toHaveLength(moves);
    expect(countsOf(after).toSorted()).toEqual(expected.toSorted());
    expect(report.emptyBecause === null).toBe(moves > 0);
  });

  it('moves stopped instances cold and those with little memory first', async () => {
    const world: TestWorld = {
      hosts: [{ hostname: 'a' }, { hostname: 'b' }],
      instances: [
        { name: 'large', host: 'a', memory: 8192 },
        { name: 'small', host: 'a', memory: 512, state: 'stopped' },
      ],
    };
    const { actions } = await spread(world);
    expect(
      actions.map(({ inputParameters }) => [inputParameters.resource_name, inputParameters.migration_type]),
    ).toEqual([['small', 'cold']]);
  });

  it('evens the others out when a host can take no more, and reports the obstacle', async () => {
    const world = piled([9, 0, 0, 1]);
    const hosts = world.hosts.map((host, index) => (index === 3 ? { ...host, vcpus: 1 } : host));
    const { after, report } = await spread({ ...world, hosts });
    expect(countsOf(after)).toEqual([3, 3, 3, 1]);
    expect(report.blocked).toEqual([{ constraint: 'vcpu', count: 1, examples: ['h3'] }]);
  });

  it('says why nothing can be moved', async () => {
    const { actions, report } = await spread(piled([3, 0], { locked: true }));
    expect(actions).toEqual([]);
    expect(report.emptyBecause).toBe(
      '2 compute nodes carry no even share, and no feasible migration brings them closer',
    );
    expect(report.blocked).toContainEqual(expect.objectContaining({ constraint: 'instance-locked', count: 3 }));
  });

  it('leaves disabled hosts out', async () => {
    const world = piled([4, 0, 0]);
    const hosts = world.hosts.map((host, index) => (index === 2 ? { ...host, status: 'disabled' as const } : host));
    expect(countsOf((await spread({ ...world, hosts })).after)).toEqual([2, 2, 0]);
  });

  it('explains with numbers before and after', async () => {
    const { actions, indicators } = await spread(piled([2, 0]));
    expect(actions[0]?.reason.summary).toBe('i0.0 takes h0 from 2 to 1 and h1 from 0 to 1 instances; even is 1 to 2.');
    expect(actions[0]?.reason.values.slice(0, 2)).toEqual([
      { quantity: 'instances', subject: 'h0', unit: '', before: 2, after: 1 },
      { quantity: 'instances', subject: 'h1', unit: '', before: 0, after: 1 },
    ]);
    expect(indicators).toEqual({
      instance_migrations_count: 1,
      instances_count: 2,
      standard_deviation_before_audit: 1,
      standard_deviation_after_audit: 0,
    });
  });

  it('ends with the moves so far when the plan is requested, and reports that', async () => {
    const word = new Int32Array(new SharedArrayBuffer(4)).fill(stopSignal.request);
    const snapshot = createTestWorld(piled([6, 0, 0]));
    const { actions, report } = await runStrategy(allocationBalanceStrategy, { snapshot, work: { word } });

    expect(actions).toEqual([]);
    expect(report.emptyBecause).toBe('the search ended before it found a migration');
    expect(report.notes).toContainEqual(expect.stringMatching(/ended early because the plan was requested/));
  });

  it('keeps the promises of a strategy', async () => {
    for (const resource of ['instances', 'vcpus', 'memory'])
      await assertWellBehaved(allocationBalanceStrategy, {
        snapshot: createTestWorld(piled([6, 1, 0])),
        parameters: { resource },
      });
  });

  it('needs the fewest moves there are, without constraints', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 8 }), async (counts) => {
        const { actions, after } = await spread(piled(counts));
        const total = counts.reduce((sum, count) => sum + count, 0);
        const ideal = counts
          .toSorted((a, b) => b - a)
          .map((count, index) => {
            const share = Math.floor(total / counts.length) + (index < total % counts.length ? 1 : 0);
            return Math.max(0, count - share);
          });
        expect(actions).toHaveLength(ideal.reduce((sum, count) => sum + count, 0));
        expect(Math.max(...countsOf(after)) - Math.min(...countsOf(after))).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });
});

describe('allocation_balance by share', () => {
  it('brings hosts of different sizes to one share', async () => {
    const world: TestWorld = {
      hosts: [
        { hostname: 'big', vcpus: 40 },
        { hostname: 'small', vcpus: 10 },
      ],
      instances: Array.from({ length: 10 }, (_, index) => ({ name: `i${index}`, host: 'small', vcpus: 1 })),
    };
    const { after } = await spread(world, { resource: 'vcpus', share_tolerance: 5 });
    expect([after.used(0).vcpus, after.used(1).vcpus]).toEqual([8, 2]);
  });

  it('moves the largest that keep within bounds, to need few moves', async () => {
    const world: TestWorld = {
      hosts: [{ hostname: 'a' }, { hostname: 'b' }],
      instances: [1, 1, 1, 1, 4, 4].map((vcpus, index) => ({ name: `i${index}`, host: 'a', vcpus })),
    };
    const { actions } = await spread(world, { resource: 'vcpus', share_tolerance: 15 });
    expect(movesOf(actions).map(({ instance }) => instance)).toEqual(['i4']);
  });

  it('gives nothing to a small host that would leave the mean by more than the large one comes nearer to it', async () => {
    const on = (host: string, count: number, vcpus: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `${host}.${vcpus}.${index}`, host, vcpus }));
    const large = ['l0', 'l1', 'l2', 'l3', 'l4', 'l5', 'full'];
    const world: TestWorld = {
      hosts: [
        ...large.map((hostname) => ({ hostname, vcpus: 200 })),
        ...['s0', 's1'].map((hostname) => ({ hostname, vcpus: 30 })),
      ],
      instances: [
        ...large.flatMap((host) => on(host, 9, 12)),
        ...on('full', 6, 1),
        ...['s0', 's1'].flatMap((host) => on(host, 4, 4)),
      ],
    };
    const { actions, indicators, units } = await spread(world, { resource: 'vcpus', share_tolerance: 2.5 });
    expect(movesOf(actions).map(({ from, to }) => [from, to])).toEqual([['full', 'l0']]);
    expect(indicators.standard_deviation_after_audit).toBeLessThan(indicators.standard_deviation_before_audit ?? 0);
    expect(units).toEqual({ standard_deviation_before_audit: 'fraction', standard_deviation_after_audit: 'fraction' });
  });
});

describe('allocation_balance on random worlds', () => {
  const instance = fc.record({
    vcpus: fc.integer({ min: 1, max: 4 }),
    memory: fc.integer({ min: 512, max: 4096 }),
    on: fc.nat({ max: 5 }),
    locked: fc.boolean(),
    grouped: fc.boolean(),
  });

  it.each(['instances', 'vcpus', 'memory'])('%s: feasible, never worse, and it comes to rest', async (resource) => {
    await fc.assert(
      fc.asyncProperty(fc.array(instance, { maxLength: 25 }), async (instances) => {
        const snapshot = createTestWorld({
          hosts: [0, 1, 2, 3, 4, 5].map((index) => ({ hostname: `h${index}`, vcpus: 6 + 2 * index, vcpusRatio: 3 })),
          instances: instances.map(({ vcpus, memory, on, locked, grouped }, index) => ({
            name: `i${index}`,
            vcpus,
            memory,
            host: `h${on}`,
            locked: locked && index % 3 === 0,
            ...(grouped ? { group: 'g' } : {}),
          })),
          groups: [{ name: 'g', policy: 'anti-affinity', maxServerPerHost: 2 }],
        });
        const parameters = { resource };
        const first = await runStrategy(allocationBalanceStrategy, { snapshot, parameters });
        const after = applyActions(snapshot, first.actions);
        const names = movesOf(first.actions).map(({ instance: name }) => name);
        expect(new Set(names).size).toBe(names.length);
        const { standard_deviation_before_audit: before = 0, standard_deviation_after_audit: now = 0 } =
          first.indicators;
        expect(now).toBeLessThanOrEqual(before + 1e-9);
        const next = (from: ComputeSnapshot) => runStrategy(allocationBalanceStrategy, { snapshot: from, parameters });
        let settled = moved(snapshot, after);
        // With shares, the progress of one run may rarely help the next run to another step, and never for long.
        for (let run = 0; run < 3 && resource !== 'instances'; run++)
          settled = moved(settled, applyActions(settled, (await next(settled)).actions));
        expect(movesOf((await next(settled)).actions)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
