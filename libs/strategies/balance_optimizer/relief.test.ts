import { describe, expect, it } from 'vitest';
import { applyActions, assertWellBehaved, movesOf, runStrategy } from '#libs/plugin-kit/testing';
import { workloadStabilizationStrategy } from '../workload_stabilization/strategy.ts';
import { balanceOptimizerStrategy } from './strategy.ts';
import { busy, cloud, run, uneven } from './testing/uneven-cloud.ts';

const relief = { preset: 'relief' };

describe('balance_optimizer with the preset relief', () => {
  it('is the default, and moves nothing while no host is near a limit', async () => {
    const uneventful = () => cloud([12, 1, 1, 1]);
    const { actions, report } = await runStrategy(balanceOptimizerStrategy, { snapshot: uneventful(), metrics: busy });
    const balanced = await run(uneventful());

    expect(actions).toEqual([]);
    expect(report.emptyBecause).not.toBeNull();
    expect(movesOf(balanced.actions).length).toBeGreaterThan(0);
  });

  it('relieves a hot host with the fewest moves, to the host with the most headroom', async () => {
    const world = cloud([15, 11, 8, 3]);
    const { actions, report } = await run(world, relief);
    const after = applyActions(cloud([15, 11, 8, 3]), actions);

    // 12 of 16 vcpus are the relief target of 75 %.
    expect(movesOf(actions)).toHaveLength(3);
    expect(movesOf(actions).every(({ from, to }) => from === 'h0' && to === 'h3')).toBe(true);
    expect(after.instancesOn(0)).toHaveLength(12);
    expect(report.objective?.find(({ term }) => term === 'headroom')).toMatchObject({ level: 2 });
  });

  it('fills no host above the relief target where others have room', async () => {
    const { actions } = await run(cloud([16, 11, 11, 11, 11]), relief);
    const after = applyActions(cloud([16, 11, 11, 11, 11]), actions);

    expect([0, 1, 2, 3, 4].map((host) => after.instancesOn(host).length)).toEqual([12, 12, 12, 12, 12]);
  });

  it('relieves measured memory above its limit', async () => {
    const metrics = { instance_cpu_usage: 10, instance_ram_usage: 5000 };
    const world = () => cloud([13, 2], { memory: 5000 });
    const { actions } = await run(world(), { ...relief, hot_limit: { memory: 90 } }, metrics);

    expect(movesOf(actions)).toMatchObject([{ from: 'h0', to: 'h1' }, { from: 'h0' }]);
  });

  it('leaves no more load above the hot limit than workload_stabilization, with fewer migrations', async () => {
    const world = () => cloud([15, 14, 6, 4, 3, 2]);
    const parameters = { thresholds: { instance_cpu_usage: 0.1 } };
    const other = await runStrategy(workloadStabilizationStrategy, {
      ...{ snapshot: world(), parameters },
      metrics: { ...busy, host_cpu_usage: { h0: 93.75, h1: 87.5, h2: 37.5, h3: 25, h4: 18.75, h5: 12.5 } },
    });
    const own = await run(world(), relief);
    const most = (actions: Parameters<typeof applyActions>[1]) => {
      const after = applyActions(world(), actions);
      return Math.max(...[0, 1, 2, 3, 4, 5].map((host) => after.instancesOn(host).length));
    };

    expect(movesOf(other.actions).length).toBeGreaterThan(0);
    expect(movesOf(own.actions).length).toBeLessThanOrEqual(movesOf(other.actions).length);
    expect(most(own.actions)).toBeLessThanOrEqual(12);
    expect(most(own.actions)).toBeLessThanOrEqual(Math.max(12, most(other.actions)));
  });

  it('keeps the contract of strategies', async () => {
    await assertWellBehaved(balanceOptimizerStrategy, { snapshot: cloud(uneven), metrics: busy, parameters: relief });
  });
});
