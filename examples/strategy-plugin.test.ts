import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { goalCatalogue } from '#libs/goals';
import { createPluginRegistry, loadPlugins, validateIndicators } from '#libs/plugin-kit';
import { applyActions, assertWellBehaved, createTestWorld, movesOf, runStrategy } from '#libs/plugin-kit/testing';

const folder = fileURLToPath(new URL('./strategy-plugin/', import.meta.url));

async function loadExample() {
  const registry = createPluginRegistry();
  registry.add(goalCatalogue, { label: 'vigil', moduleUrl: '#libs/goals', exportName: 'goalCatalogue' });
  await loadPlugins([folder], registry);
  return registry;
}

function crowdedWorld() {
  return createTestWorld({
    hosts: [{ hostname: 'full' }, { hostname: 'half' }, { hostname: 'empty' }, { hostname: 'off', status: 'disabled' }],
    instances: [
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, host: 'full' })),
      ...['x', 'y', 'z'].map((name) => ({ name, host: 'half' })),
    ],
  });
}

describe('spread_by_count', () => {
  it('is loaded by its folder name and serves its goal', async () => {
    const registry = await loadExample();

    expect(registry.strategy('spread_by_count').manifest.goal).toBe('workload_balancing');
    expect(registry.source('strategy', 'spread_by_count')).toEqual({
      kind: 'strategy',
      name: 'spread_by_count',
      moduleUrl: new URL('./strategy-plugin/index.js', import.meta.url).href,
      exportName: 'plugins',
    });
  });

  it('evens out the numbers of instances and leaves a disabled host alone', async () => {
    const registry = await loadExample();
    const snapshot = crowdedWorld();

    const result = await runStrategy(registry.strategy('spread_by_count'), { snapshot });

    expect(movesOf(result.actions).map((move) => `${move.from}>${move.to}`)).toEqual([
      'full>empty',
      'full>empty',
      'full>empty',
    ]);
    const after = applyActions(snapshot, result.actions);
    expect([0, 1, 2, 3].map((host) => after.instancesOn(host).length)).toEqual([3, 3, 3, 0]);
    validateIndicators(registry.goal('workload_balancing'), result.indicators);
    expect(result.indicators.standard_deviation_after_audit).toBe(0);
  });

  it('obeys max_migrations and max_difference', async () => {
    const strategy = (await loadExample()).strategy('spread_by_count');
    const snapshot = crowdedWorld();

    const one = await runStrategy(strategy, { snapshot, parameters: { max_migrations: 1 } });
    const none = await runStrategy(strategy, { snapshot, parameters: { max_difference: 6 } });

    expect(one.actions).toHaveLength(1);
    expect(none.actions).toHaveLength(0);
    expect(none.report.emptyBecause).toMatch(/max_difference/);
  });

  it('reports the rules that kept instances on their hosts', async () => {
    const strategy = (await loadExample()).strategy('spread_by_count');
    const snapshot = createTestWorld({
      hosts: [{ hostname: 'full' }, { hostname: 'tiny', vcpus: 1 }],
      instances: [
        { name: 'big', host: 'full', vcpus: 4 },
        { name: 'locked', host: 'full', locked: true },
        { name: 'off', host: 'full', state: 'stopped' },
      ],
    });

    const result = await runStrategy(strategy, { snapshot });

    expect(result.actions).toEqual([]);
    expect(result.report.blocked.map(({ constraint, examples }) => [constraint, ...examples])).toEqual([
      ['vcpu', 'big'],
      ['instance-locked', 'locked'],
      ['instance-state', 'off'],
    ]);
    expect(result.report.emptyBecause).toMatch(/may go/);
  });

  it('is pure and explains itself', async () => {
    const strategy = (await loadExample()).strategy('spread_by_count');

    await assertWellBehaved(strategy, { snapshot: crowdedWorld() });
  });
});
