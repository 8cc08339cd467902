import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { goalCatalogue } from '#libs/goals';
import { createPluginRegistry, loadPlugins, validateIndicators } from '#libs/plugin-kit';
import { applyActions, assertWellBehaved, createTestWorld, movesOf, runStrategy } from '#libs/plugin-kit/testing';

const folder = fileURLToPath(new URL('./search-plugin/', import.meta.url));

async function loadExample() {
  const registry = createPluginRegistry();
  registry.add(goalCatalogue, { label: 'vigil', moduleUrl: '#libs/goals', exportName: 'goalCatalogue' });
  await loadPlugins([folder], registry);
  return registry;
}

/** Four hosts of 64 GiB. The mean share is 16 GiB. `apart` may not be two on a host. */
const world = () =>
  createTestWorld({
    hosts: ['a', 'b', 'c', 'd'].map((hostname) => ({ hostname })),
    instances: [
      ...Array.from({ length: 8 }, (_, index) => ({ name: `a${index}`, host: 'a', memory: 6144, group: 'apart' })),
      { name: 'b0', host: 'b', memory: 8192 },
      { name: 'c0', host: 'c', memory: 8192, group: 'apart', locked: true },
    ],
    groups: [{ name: 'apart', policy: 'anti-affinity', maxServerPerHost: 2 }],
  });

describe('spread_memory', () => {
  it('spreads memory by the search of the kit, with all rules, and reports its bound', async () => {
    const registry = await loadExample();
    const { actions, report, indicators, rank } = await runStrategy(registry.strategy('spread_memory'), {
      snapshot: world(),
    });
    const after = applyActions(world(), actions);

    expect(movesOf(actions).every(({ from }) => from === 'a')).toBe(true);
    // One beside the locked member of the group on `c`, two each on `d` and, beside another instance, on `b`.
    expect([1, 2, 3].map((host) => after.instancesOn(host).length)).toEqual([3, 2, 2]);
    const [term] = report.objective ?? [];
    expect(term?.after).toBeLessThan((term?.before ?? 0) / 2);
    expect(term?.after).toBeGreaterThanOrEqual(term?.bound ?? 0);
    expect(rank).toEqual([term?.after]);
    expect(report.search).toMatchObject({ endedBy: 'converged', budget: 5_000_000 });
    validateIndicators(registry.goal('workload_balancing'), indicators);
  });

  it('keeps to the budget, reports its progress, and ends with the best result so far on request', async () => {
    const strategy = (await loadExample()).strategy('spread_memory');
    const seen: number[] = [];
    const one = await runStrategy(strategy, {
      snapshot: world(),
      parameters: { max_migrations: 1 },
      work: { onReport: ({ moves }) => seen.push(moves ?? 0) },
    });
    const asked = await runStrategy(strategy, {
      snapshot: world(),
      work: { word: new Int32Array(new SharedArrayBuffer(4)).fill(2) },
    });

    expect(one.actions).toHaveLength(1);
    expect(seen).toContain(1);
    expect(asked.report.search?.endedBy).toBe('request');
    applyActions(world(), asked.actions);
  });

  it('is pure and explains itself', async () => {
    await assertWellBehaved((await loadExample()).strategy('spread_memory'), { snapshot: world() });
  });
});
