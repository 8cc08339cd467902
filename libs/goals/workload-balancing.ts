import type { GoalPlugin } from '#libs/plugin-kit';
import { countIndicator, deviationIndicator, percentage } from './indicators.ts';

/**
 * Load spread evenly over hosts. The global efficacy is Watcher's `live_migrations_count`, which is a share of moved
 * instances in percent and grows with every move; how much better the balance gets is told by the two deviations.
 */
export const workloadBalancing: GoalPlugin = {
  kind: 'goal',
  name: 'workload_balancing',
  displayName: 'Workload Balancing',
  indicators: [
    countIndicator('instance_migrations_count', 'Migrations in the plan.'),
    countIndicator('instances_count', 'Instances in the model.', false),
    // Watcher has them in this order, and clients show what they get.
    deviationIndicator('standard_deviation_after_audit', 'Spread of the load over hosts that the plan leads to.'),
    deviationIndicator('standard_deviation_before_audit', 'Spread of the load over hosts before the plan.'),
  ],
  globalEfficacy: (indicators) => [
    {
      name: 'live_migrations_count',
      description: 'Instances that the plan migrates, in percent of all instances.',
      unit: '%',
      value: percentage(indicators.instance_migrations_count, indicators.instances_count),
    },
  ],
};
