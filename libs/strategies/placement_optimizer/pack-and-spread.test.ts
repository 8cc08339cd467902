import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { applyActions, assertWellBehaved, createTestWorld, movesOf, runStrategy } from '#libs/plugin-kit/testing';
import { placementOptimizerStrategy } from './strategy.ts';

/** Hosts of 16 vcpus with so many instances of 1 vcpu each. */
function cloud(instancesPerHost: readonly number[]) {
  return createTestWorld({
    hosts: instancesPerHost.map((_, host) => ({ hostname: `h${host}` })),
    instances: instancesPerHost.flatMap((count, host) =>
      Array.from({ length: count }, (_, index) => ({ name: `vm${host}-${index}`, host: `h${host}` })),
    ),
  });
}

async function plan(counts: readonly number[], percent: number, parameters: JsonObject = {}) {
  const { actions, report } = await runStrategy(placementOptimizerStrategy, {
    snapshot: cloud(counts),
    metrics: { instance_cpu_usage: percent },
    parameters: { both_aims: true, reserve_hosts: 0, time_limit: 1, ...parameters },
  });
  const model = applyActions(cloud(counts), actions);
  const after = counts.map((_, host) => model.instancesOn(host).length);
  return { actions, report, after };
}

describe('placement_optimizer with both aims', () => {
  it('frees hosts of idle instances, and spreads these over the others', async () => {
    const { after, actions, report } = await plan([4, 4, 4, 4, 2], 20);
    expect(after.filter((count) => count === 0).length).toBeGreaterThan(0);
    expect(after[4]).toBe(0);
    expect(actions[0]?.reason.rule).toBe('hosts_in_use');
    expect(report.objective?.find(({ term }) => term === 'hosts_in_use')).toMatchObject({ before: 5 });
  });

  it('sends the instances of a host that it frees to the hosts with the most headroom', async () => {
    const { after } = await plan([9, 5, 5, 2], 100, { max_moves: 2 });
    expect(after).toEqual([9, 6, 6, 0]);
  });

  it('frees no host where that would bring others near their limit', async () => {
    const { actions } = await plan([11, 11, 11, 10], 100);
    expect(actions).toEqual([]);
  });

  it('searches for nothing where the loads allow no fewer hosts', async () => {
    // 43 busy CPUs need four hosts that are filled to 12.8 of 16. By allocations three would do.
    const { actions, report } = await plan([11, 11, 11, 10], 100);
    expect(actions).toEqual([]);
    expect(report.emptyBecause).toMatch(/nothing can be gained/);
    expect(report.objective?.find(({ term }) => term === 'hosts_in_use')).toMatchObject({ before: 4, bound: 4 });
  });

  it('relieves a hot host first', async () => {
    const { after, actions } = await plan([15, 8, 8, 8], 100);
    expect(movesOf(actions).filter(({ from }) => from === 'h0')).toHaveLength(3);
    expect(after[0]).toBe(12);
  });

  it('weighs each aim as its term says', async () => {
    const counts = [6, 6, 6, 4];
    const [packs, spreads] = [
      await plan(counts, 100, { terms: { near_limit: 'low' } }),
      await plan(counts, 100, { terms: { hosts_in_use: 'low', near_limit: 'high' } }),
    ];
    // 22 busy CPUs on two hosts of 16 are below the relief target.
    expect(packs.after.filter((count) => count === 0)).toHaveLength(2);
    expect(spreads.after).toEqual(counts);
  });

  it('keeps the contract of strategies', async () => {
    await assertWellBehaved(placementOptimizerStrategy, {
      snapshot: cloud([6, 3, 2]),
      metrics: { instance_cpu_usage: 50 },
      parameters: { both_aims: true, time_limit: 1 },
    });
  });
});
