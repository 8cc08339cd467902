import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import type { StrategyManifest, StrategyPlugin } from '#libs/plugin-kit';
import { createTestWorld, runStrategy } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '#libs/strategies';
import { withSiteDefaults } from './site-defaults.ts';

const strategyNamed = (wanted: string) =>
  strategyCatalogue.find(({ manifest }) => manifest.name === wanted) as StrategyPlugin;
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

  it.each(['balance_optimizer', 'consolidation_optimizer', 'placement_optimizer'])(
    'passes the failure reserve to %s, which has it by another name',
    (name) => {
      const { manifest } = strategyNamed(name);
      const passed = (given: JsonObject) => withSiteDefaults(manifest, given, { failureReserve: 0 });
      expect(passed({})).toEqual({ reserve_hosts: 0 });
      expect(passed({ reserve_hosts: 2 })).toEqual({ reserve_hosts: 2 });
    },
  );

  it('does not pass the failure reserve as the hosts that a strategy with rules keeps', () => {
    const { manifest } = strategyNamed('basic');
    expect(withSiteDefaults(manifest, {}, { failureReserve: 2 })).toEqual({ failure_reserve: 2 });
  });

  it.each([
    ['vm_workload_consolidation', 1, 0],
    ['vm_workload_consolidation', 0, 1],
    ['consolidation_optimizer', 1, 0],
    ['consolidation_optimizer', 0, 1],
  ])('%s with a reserve of %i: two small instances on two hosts need %i migrations', async (name, reserve, moves) => {
    const small = { vcpus: 1, memory: 512, disk: 1 };
    const strategy = strategyNamed(name);
    const { actions } = await runStrategy(strategy, {
      snapshot: createTestWorld({
        hosts: ['a', 'b'].map((hostname) => ({ hostname, vcpus: 16 })),
        instances: ['a', 'b'].map((host, row) => ({ name: `vm${row}`, host, ...small })),
      }),
      metrics: { instance_cpu_usage: 10 },
      parameters: withSiteDefaults(strategy.manifest, { period: 300 }, { failureReserve: reserve }),
    });
    expect(actions.filter(({ actionType }) => actionType === 'migrate')).toHaveLength(moves);
  });
});
