import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { applyActions, assertWellBehaved, createTestWorld, movesOf, runStrategy } from '#libs/plugin-kit/testing';
import { placementOptimizerStrategy } from './strategy.ts';

const world = createTestWorld({
  hosts: ['a', 'b', 'c', 'd'].map((hostname) => ({
    hostname,
    ...(hostname === 'd' ? { status: 'disabled' as const } : {}),
  })),
  instances: [
    ...Array.from({ length: 6 }, (_, index) => ({ name: `a${index}`, host: 'a' })),
    { name: 'b0', host: 'b' },
    { name: 'd0', host: 'd' },
  ],
});

function run(parameters: JsonObject) {
  return runStrategy(placementOptimizerStrategy, { snapshot: world, metrics: { instance_cpu_usage: 50 }, parameters });
}

describe('placement_optimizer', () => {
  it('balances by default, what is broken first', async () => {
    const { actions, indicators } = await run({});
    const after = applyActions(world, actions);

    expect(movesOf(actions)[0]).toMatchObject({ instance: 'd0', from: 'd' });
    expect([0, 1, 2, 3].map((host) => after.instancesOn(host).length).sort()).toEqual([0, 2, 3, 3]);
    expect(indicators).toMatchObject({ instance_migrations_count: actions.length, points_before_audit: 100 });
    expect(indicators.points_after_audit).toBeLessThan(50);
  });

  it('only repairs when asked for no more', async () => {
    const { actions, report } = await run({ preset: 'repair_only' });

    expect(movesOf(actions)).toMatchObject([{ instance: 'd0', from: 'd' }]);
    expect(actions[0]?.reason.rule).toBe('disabled_hosts');
    expect(report.objective?.find(({ term }) => term === 'disabled_hosts')).toMatchObject({ before: 1, after: 0 });
  });

  it('frees hosts', async () => {
    const { actions, report } = await run({ preset: 'consolidate', reserve_hosts: 0 });

    expect(actions.map(({ actionType }) => actionType)).toEqual(['migrate', 'change_nova_service_state']);
    expect(report.objective?.[0]).toMatchObject({ term: 'hosts_in_use', before: 2, after: 1, bound: 1 });
  });

  it.each(['balance', 'consolidate', 'repair_only'])('keeps the contract of strategies: %s', async (preset) => {
    await assertWellBehaved(placementOptimizerStrategy, { snapshot: world, parameters: { preset } });
  });
});
