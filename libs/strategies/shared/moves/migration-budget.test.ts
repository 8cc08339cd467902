import { expect, it } from 'vitest';
import type { StrategyPlugin } from '#libs/plugin-kit';
import { createTestWorld, runStrategy } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '../../catalogue.ts';

it.each(['workload_balance', 'allocation_balance', 'workload_stabilization'])(
  '%s predicts the result of its budget of migrations, and reports that it ended there',
  async (name) => {
    const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
    const snapshot = createTestWorld({
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })),
      instances: Array.from({ length: 9 }, (_, row) => ({ name: `i${row}`, host: 'a' })),
    });
    const world = { snapshot, metrics: { instance_cpu_usage: 80, host_cpu_usage: { a: 45, b: 0, c: 0 } } };
    const after = async (migration_budget: number) => {
      const { actions, indicators, report } = await runStrategy(strategy, {
        ...world,
        parameters: { migration_budget },
      });
      expect(indicators.instance_migrations_count).toBe(actions.length);
      const reported = report.notes.filter((note) => note.includes(`all ${migration_budget} migrations of its budget`));
      expect(reported).toHaveLength(migration_budget === 0 ? 0 : 1);
      return { count: actions.length, deviation: indicators.standard_deviation_after_audit as number };
    };
    const [all, one, two] = [await after(0), await after(1), await after(2)];
    expect([one.count, two.count]).toEqual([1, 2]);
    expect(all.count).toBeGreaterThan(2);
    expect(one.deviation).toBeGreaterThan(two.deviation);
    expect(two.deviation).toBeGreaterThan(all.deviation);
  },
);
