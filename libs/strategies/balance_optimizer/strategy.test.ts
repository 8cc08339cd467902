import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenRules, createWhatIf, type WhatIf } from '#libs/cluster-model';
import {
  applyActions,
  assertWellBehaved,
  createTestWorld,
  movesOf,
  runStrategy,
  type TestMetrics,
  testUuid,
} from '#libs/plugin-kit/testing';
import { randomCloud } from '../search-based/testing/random-cloud.ts';
import { balanceOptimizerStrategy } from './strategy.ts';
import { busy, cloud, run, uneven } from './testing/uneven-cloud.ts';

const even = { preset: 'even' };

/** Instances that break a rule where they are. */
function misplacedIn(model: WhatIf): number {
  return brokenRules(model).reduce((sum, { misplaced }) => sum + misplaced, 0);
}

describe('balance_optimizer with the preset even', () => {
  it('reports the migrations and the memory that balance alone costs', async () => {
    const calm = await run(cloud([12, 10, 2, 1]));
    const hot = await run();

    expect(calm.report.notes.join()).toMatch(/\d+ migrations of \d+(\.\d+)? GiB are the cost of balance alone/);
    expect(calm.actions[0]?.reason.summary).toMatch(
      / It avoids 0 host minutes near a limit within a day, at a price of \d+ host minutes\.$/,
    );
    expect(hot.report.notes.join()).not.toMatch(/cost of balance alone/);
  });

  it('balances a cloud, cools hot hosts, and proves that nothing better is possible', async () => {
    const { actions, indicators, report } = await run();
    const after = applyActions(cloud(uneven), actions);

    expect(after.instancesOn(0)).toHaveLength(7);
    expect([1, 2, 3].map((host) => after.instancesOn(host).length)).toEqual([7, 7, 7]);
    expect(actions).toHaveLength(11);
    expect(indicators.standard_deviation_after_audit).toBe(0);
    const cpu = report.objective?.find(({ term }) => term === 'cpu_balance');
    expect(cpu).toMatchObject({ level: 2, unit: '%' });
    expect(cpu?.bound).toBeCloseTo(0);
    expect(cpu?.before).toBeGreaterThan(10);
    expect(cpu?.before).toBeLessThanOrEqual(100);
    expect(cpu?.after).toBeCloseTo(0);
    expect(report.gap).toBeCloseTo(0);
    expect(report.search?.endedBy).toBe('converged');
  });

  it('fills the emptiest host first', async () => {
    const { actions } = await run(cloud([15, 2, 2, 2, 0]), { max_moves: 1, min_gain: 0 });

    expect(movesOf(actions)).toMatchObject([{ from: 'h0', to: 'h4' }]);
  });

  it.each(['vcpus_balance', 'instances_balance'])('evens out %s on request', async (term) => {
    const idle = { instance_cpu_usage: 0 };
    const others = { cpu_balance: 'off', memory_balance: 'off' };
    const { actions, report } = await run(cloud([8, 0, 4, 4]), { terms: { ...others, [term]: 'normal' } }, idle);
    const after = applyActions(cloud([8, 0, 4, 4]), actions);

    expect([0, 1, 2, 3].map((host) => after.instancesOn(host).length)).toEqual([4, 4, 4, 4]);
    expect(report.objective?.map((one) => one.term)).toContain(term);
    const usual = await run(cloud([8, 0, 4, 4]), {}, idle);
    expect(usual.report.objective?.map((one) => one.term)).not.toContain(term);
  });

  it('distinguishes hosts that differ by one instance', async () => {
    const terms = { cpu_balance: 'off', memory_balance: 'off', hot_spots: 'off', instances_balance: 'normal' };
    const world = () => cloud([0, 0, 40, 40], { vcpus: 0, memory: 0 });
    const { actions, report } = await run(world(), { max_moves: 2, min_gain: 0, terms });
    const after = applyActions(world(), actions);

    expect([0, 1, 2, 3].map((host) => after.instancesOn(host).length)).toEqual([1, 1, 39, 39]);
    // No two migrations do better.
    expect(report.gap).toBeCloseTo(0);
  });

  it('keeps to the budget of moves, and takes the best of them first', async () => {
    const { actions, report } = await run(cloud(uneven), { max_moves: 3 });

    expect(movesOf(actions)).toHaveLength(3);
    expect(new Set(movesOf(actions).map(({ from }) => from))).toEqual(new Set(['h0']));
    // No three migrations do better.
    expect(report.gap).toBeCloseTo(0);
    expect(report.objective?.find(({ term }) => term === 'cpu_balance')?.after).toBeGreaterThan(5);
    const gains = actions.map(({ gain = 0 }) => gain);
    expect(gains).toEqual([...gains].sort((a, b) => b - a));
  });

  it('moves nothing where nothing can be gained, and says so at once', async () => {
    const { actions, report } = await run(cloud([7, 7, 7, 7]));

    expect(actions).toEqual([]);
    expect(report.emptyBecause).toMatch(/nothing can be gained/);
  });

  it('moves nothing for less than the minimum gain, unless a host is hot', async () => {
    const few = { max_moves: 1, min_gain: 60 };
    const cool = await run(cloud([12, 10, 2, 1]), few);
    const hot = await run(cloud(uneven), few);

    expect(cool.report.emptyBecause).toMatch(/gains .* points of 100; the minimum gain is 60/);
    expect(hot.actions).toHaveLength(1);
  });

  it('leaves a host alone that is hot by noise only, and relieves a hot one so far that noise does not heat it again', async () => {
    const onlyHot = { terms: { cpu_balance: 'off', memory_balance: 'off' } };
    // 13 of 16 vcpus are 81.25 %, one more 87.5 %.
    const noisy = await run(cloud([13, 2]), onlyHot);
    const hot = await run(cloud([14, 2]), onlyHot);

    expect(noisy.actions).toEqual([]);
    expect(noisy.report.emptyBecause).toMatch(/nothing can be gained/);
    expect(movesOf(hot.actions).map(({ from }) => from)).toEqual(['h0', 'h0']);
  });

  it('leaves hosts alone of which too little is measured, since they may be full', async () => {
    const world = cloud([12, 6, 2, 3]);
    const metrics: TestMetrics = { instance_cpu_usage: (name) => (/^vm[23]-/.test(name) ? Number.NaN : 60) };
    const parameters = { terms: { memory_balance: 'off' } };
    const { actions, report } = await run(world, parameters, metrics);
    const trusting = await run(world, { ...parameters, minimum_coverage: 0 }, metrics);

    expect(new Set(movesOf(actions).map(({ from, to }) => `${from}>${to}`))).toEqual(new Set(['h0>h1']));
    expect(report.blocked).toContainEqual({ constraint: 'coverage', count: 2, examples: ['h2', 'h3'] });
    expect(report.notes.join()).toMatch(
      /2 hosts take no instance, .* less than 80 % of the allocations there is measured/,
    );
    expect(new Set(movesOf(trusting.actions).map(({ to }) => to))).toContain('h2');
  });

  it('keeps measured memory below a separate limit', async () => {
    const metrics = { instance_cpu_usage: 10, instance_ram_usage: 5000 };
    const parameters = { terms: { cpu_balance: 'off', memory_balance: 'off' } };
    const world = cloud([13, 2], { memory: 5000 });
    const limits = { hot_limit: { memory: 90 } };
    const { actions, report } = await run(world, { ...parameters, ...limits }, metrics);
    const unasked = await run(world, parameters, metrics);
    const unmeasured = await run(world, { ...parameters, ...limits }, { instance_cpu_usage: 10 });

    expect(movesOf(actions)).toMatchObject([{ from: 'h0', to: 'h1' }, { from: 'h0' }]);
    expect(report.objective?.find(({ term }) => term === 'hot_memory')).toMatchObject({ level: 1, after: 0 });
    expect(unasked.actions).toEqual([]);
    expect(unmeasured.report.notes.join()).toMatch(/no use of memory is measured/);
    await expect(run(world, { hot_limit: { disk: 80 } })).rejects.toThrow(/disk/);
  });

  it('takes no place that a failure domain needs when a host fails', async () => {
    // A large instance fits on `c` only while that is nearly idle. Balance alone would fill it.
    const world = {
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })),
      instances: [
        { name: 'large', host: 'b', vcpus: 12, locked: true },
        ...Array.from({ length: 12 }, (_, index) => ({ name: `vm${index}`, host: 'a' })),
        { name: 'other', host: 'c', vcpus: 2, locked: true },
      ],
    };
    const places = (actions: Parameters<typeof applyActions>[1]) => {
      const after = applyActions(createTestWorld(world), actions);
      return [0, 2].filter((host) => after.free(host).vcpus >= 12).length;
    };
    const kept = await run(createTestWorld(world), { terms: { memory_balance: 'off' } });
    const taken = await run(createTestWorld(world), { terms: { memory_balance: 'off' }, reserve_hosts: 0 });

    expect(places([])).toBe(1);
    expect(places(kept.actions)).toBe(1);
    expect(places(taken.actions)).toBe(0);
  });

  it('reports the improvement of each move, and the better host that was refused', async () => {
    const locked = createTestWorld({
      hosts: [{ hostname: 'full' }, { hostname: 'idle' }, { hostname: 'other' }],
      instances: [
        { name: 'vm0', host: 'full', group: 'apart' },
        ...Array.from({ length: 11 }, (_, index) => ({ name: `v${index}`, host: 'full', locked: true })),
        { name: 'friend', host: 'idle', group: 'apart', locked: true },
        ...Array.from({ length: 6 }, (_, index) => ({ name: `o${index}`, host: 'other', locked: true })),
      ],
      groups: [{ name: 'apart', policy: 'anti-affinity' }],
    });
    const { actions } = await run(locked, { terms: { memory_balance: 'off' } });

    expect(movesOf(actions)).toMatchObject([{ from: 'full', to: 'other' }]);
    expect(actions[0]?.reason).toMatchObject({
      rule: 'cpu_balance',
      summary: expect.stringMatching(
        /^vm\d+ takes CPU load of full from [\d.]+ to [\d.]+ and of other .* of the plan's gain\. It avoids 0 .*\.$/,
      ),
      rejected: [{ alternative: 'idle', because: 'anti-affinity', others: 0 }],
    });
    const values = actions[0]?.reason.values ?? [];
    expect(values.find(({ subject, quantity }) => subject === 'full' && quantity === 'cpu_balance')).toBeDefined();
  });

  it('counts vcpus where nothing is measured, and says so', async () => {
    const { actions, report } = await run(cloud(uneven), {}, {});

    expect(actions.length).toBeGreaterThan(0);
    expect(report.notes.join()).toMatch(/no CPU load is measured/);
  });

  it('ends with the best so far on request', async () => {
    const word = new Int32Array(new SharedArrayBuffer(4)).fill(2);
    const { actions, report } = await runStrategy(balanceOptimizerStrategy, {
      snapshot: cloud(uneven),
      metrics: busy,
      parameters: even,
      work: { word },
    });

    expect(report.search?.endedBy).toBe('request');
    applyActions(cloud(uneven), actions);
  });

  it('finds plans of several sizes, of which any can be planned again later', async () => {
    const { actions, variants = [] } = await run();

    expect(variants.map(({ budget }) => budget)).toEqual([5, 10, 20]);
    expect(variants.map(({ moves }) => moves)).toEqual([5, 10, 11]);
    expect(variants.map(({ chosen }) => chosen)).toEqual([false, false, true]);
    expect(variants.at(-1)?.actions).toEqual(actions);
    for (const { value, bound } of variants) expect(value).toBeGreaterThanOrEqual(bound - 1e-6);
    const values = variants.map(({ value }) => value);
    expect(values).toEqual([...values].sort((a, b) => b - a));

    const small = movesOf(variants[0]?.actions ?? []);
    const replan = small.map(({ instance, to }) => ({ instance: testUuid(instance), host: to }));
    const gone = { instance: testUuid('gone'), host: 'h3' };
    const again = await runStrategy(balanceOptimizerStrategy, {
      snapshot: cloud(uneven),
      metrics: busy,
      parameters: even,
      replan: [...replan, gone],
    });
    expect(new Set(movesOf(again.actions))).toEqual(new Set(small));
    expect(again.variants).toEqual([]);
    expect(again.report.objective).toEqual(
      expect.arrayContaining([expect.objectContaining({ term: 'cpu_balance', after: expect.any(Number) })]),
    );
  });

  it('plans nothing of chosen migrations that are no longer useful', async () => {
    const replan = [{ instance: testUuid('vm0-0'), host: 'h1' }];
    const { actions, report } = await runStrategy(balanceOptimizerStrategy, {
      snapshot: cloud([7, 7, 7, 7]),
      metrics: busy,
      parameters: even,
      replan,
    });

    expect(actions).toEqual([]);
    expect(report.emptyBecause).not.toBeNull();
  });

  it('prefers the moves of a former plan if they are as good, and is repeatable', async () => {
    const impossible = [
      { instance: testUuid('gone'), host: 'h3' },
      { instance: testUuid('vm1-0'), host: 'nowhere' },
    ];
    const runOn = (open: { instance: string; host: string }[]) =>
      runStrategy(balanceOptimizerStrategy, {
        snapshot: cloud(uneven),
        metrics: busy,
        parameters: even,
        past: { open },
      });
    const cold = await runOn([]);
    const moved = (actions: Parameters<typeof movesOf>[0]) =>
      movesOf(actions).map(({ instance }) => testUuid(instance));
    const wanted = Array.from({ length: 15 }, (_, index) => testUuid(`vm0-${index}`))
      .filter((instance) => !moved(cold.actions).includes(instance))
      .slice(0, 3)
      .map((instance) => ({ instance, host: 'h3' }));
    const warm = await runOn([...wanted, ...impossible]);

    expect(wanted).toHaveLength(3);
    expect(moved(warm.actions)).toEqual(expect.arrayContaining(wanted.map(({ instance }) => instance)));
    expect(warm.rank).toEqual(cold.rank);
    expect(await runOn([...wanted, ...impossible])).toEqual(warm);
  });

  it('keeps to the minutes that are given', async () => {
    const all = await run();
    const seconds = all.variants?.at(-1)?.seconds ?? 0;
    const short = await run(undefined, { max_minutes: 1 });

    expect(seconds).toBeGreaterThan(60);
    expect(short.variants?.at(-1)?.moves).toBeGreaterThan(0);
    expect(short.variants?.at(-1)?.seconds ?? 0).toBeLessThanOrEqual(60);
  });

  it('publishes the deviation of every balanced quantity, and reports quantities that get worse', async () => {
    // Memory is spread evenly, CPU load is not. Instances with load have no memory to speak of.
    const world = createTestWorld({
      hosts: ['a', 'b'].map((hostname) => ({ hostname })),
      instances: [
        ...Array.from({ length: 8 }, (_, index) => ({ name: `cpu${index}`, host: 'a', memory: 1500 })),
        { name: 'full', host: 'b', memory: 12_000 },
      ],
    });
    const metrics = {
      instance_cpu_usage: { ...Object.fromEntries([...Array(8).keys()].map((n) => [`cpu${n}`, 100])), full: 0 },
    };
    const { indicators, report, actions } = await run(world, {}, metrics);
    const alone = await run(world, { terms: { memory_balance: 'off' } }, metrics);

    expect(actions.length).toBeGreaterThan(0);
    expect(indicators.standard_deviation_after_audit).toBeLessThan(
      indicators.standard_deviation_before_audit as number,
    );
    expect(report.notes.join()).toMatch(/standard deviation of memory over the hosts rises from 0 to 0\.\d+/);
    expect(alone.report.notes.join()).not.toMatch(/deviation of memory/);
    expect(alone.indicators.standard_deviation_before_audit).toBeCloseTo(0.25);
  });

  it('is well behaved on random clouds: no refused move, the same plan again, no value below its bound, a gain as a whole', async () => {
    let planned = 0;
    await fc.assert(
      fc.asyncProperty(randomCloud, fc.integer({ min: 0, max: 12 }), async ({ world, metrics }, moves) => {
        const snapshot = createTestWorld(world);
        const parameters = { max_moves: moves, time_limit: 1 };
        const first = await run(snapshot, parameters, metrics, 7);
        const again = await run(createTestWorld(world), parameters, metrics, 7);

        expect(again).toEqual(first);
        const broken = misplacedIn(createWhatIf(snapshot));
        expect(misplacedIn(applyActions(snapshot, first.actions))).toBeLessThanOrEqual(broken);
        if (first.actions.length > 0) {
          planned += 1;
          expect(first.actions.reduce((sum, { gain = 0 }) => sum + gain, 0)).toBeGreaterThan(0);
        }
        if (moves > 0) expect(first.actions.length).toBeLessThanOrEqual(moves);
        for (const { before, after, bound } of first.report.objective ?? []) {
          expect(Math.min(before, after, bound ?? 0)).toBeGreaterThanOrEqual(0);
          expect(after).toBeGreaterThanOrEqual((bound ?? 0) - 1e-6);
          expect(before).toBeGreaterThanOrEqual((bound ?? 0) - 1e-6);
        }
        const [repair, risk] = [0, 1].map(
          (level) => first.report.objective?.filter((term) => term.level === level) ?? [],
        );
        // A split affinity group counts by a host that its members may leave for another one of the group.
        for (const { term, before, after } of repair ?? [])
          if (term !== 'broken_groups') expect(after).toBeLessThanOrEqual(before + 1e-6);
        if ((repair ?? []).every(({ before }) => before === 0))
          for (const { before, after } of risk ?? []) expect(after).toBeLessThanOrEqual(before + 1e-3);
      }),
      { numRuns: Number(process.env.VIGIL_PROPERTY_RUNS ?? 60) },
    );
    expect(planned).toBeGreaterThan(0);
  });

  it('keeps the contract of strategies', async () => {
    await assertWellBehaved(balanceOptimizerStrategy, { snapshot: cloud(uneven), metrics: busy, parameters: even });
  });
});
