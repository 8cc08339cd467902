import { describe, expect, it } from 'vitest';
import type { StrategyManifest, StrategyPlugin } from '#libs/plugin-kit';
import { createTestWorld, runStrategy } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '#libs/strategies';
import { withSiteDefaults } from './site-defaults.ts';

const plain = { parameters: { type: 'object', properties: {} } } as unknown as StrategyManifest;
const aware = {
  parameters: { properties: { migration_budget: {}, failure_reserve: {} } },
} as unknown as StrategyManifest;

describe('withSiteDefaults', () => {
  it('passes the budget to a strategy that has one, unless the audit sets it', () => {
    expect(withSiteDefaults(aware, {}, { migrationBudget: 5 })).toEqual({ migration_budget: 5 });
    expect(withSiteDefaults(aware, { migration_budget: 2 }, { migrationBudget: 5 })).toEqual({ migration_budget: 2 });
    expect(withSiteDefaults(plain, {}, { migrationBudget: 5 })).toEqual({});
  });

  it('passes a failure reserve other than that of the strategies, unless the audit sets it', () => {
    expect(withSiteDefaults(aware, {}, { failureReserve: 0 })).toEqual({ failure_reserve: 0 });
    expect(withSiteDefaults(aware, {}, { failureReserve: 1 })).toEqual({});
    expect(withSiteDefaults(aware, { failure_reserve: 2 }, { failureReserve: 0 })).toEqual({ failure_reserve: 2 });
    expect(withSiteDefaults(plain, {}, { failureReserve: 0 })).toEqual({});
  });

  it.each([
    [1, 0],
    [0, 1],
  ])('with a reserve of %i, two small instances on two hosts of four need %i migrations', async (reserve, moves) => {
    const small = { vcpus: 1, memory: 512, disk: 1 };
    const strategy = strategyCatalogue.find(
      ({ manifest }) => manifest.name === 'vm_workload_consolidation',
    ) as StrategyPlugin;
    const { actions } = await runStrategy(strategy, {
      snapshot: createTestWorld({
        hosts: ['a', 'b', 'c', 'd'].map((hostname) => ({ hostname, vcpus: 16 })),
        instances: ['a', 'd'].map((host, row) => ({ name: `vm${row}`, host, ...small })),
      }),
      metrics: { instance_cpu_usage: 10 },
      parameters: withSiteDefaults(strategy.manifest, { period: 300 }, { failureReserve: reserve }),
    });
    expect(actions.filter(({ actionType }) => actionType === 'migrate')).toHaveLength(moves);
  });
});
