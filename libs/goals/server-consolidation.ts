import type { GoalPlugin } from '#libs/plugin-kit';
import { countIndicator, percentage } from './indicators.ts';

/** Fewer hosts carry the same instances. Efficacy: share of the considered hosts that the plan frees. */
export const serverConsolidation: GoalPlugin = {
  kind: 'goal',
  name: 'server_consolidation',
  displayName: 'Server Consolidation',
  indicators: [
    countIndicator('compute_nodes_count', 'Enabled compute nodes that were considered.'),
    countIndicator('released_compute_nodes_count', 'Compute nodes that the plan frees.'),
    countIndicator('instance_migrations_count', 'Migrations in the plan.'),
  ],
  globalEfficacy: (indicators) => [
    {
      name: 'released_nodes_ratio',
      description: 'Compute nodes freed by the plan, in percent of those considered.',
      unit: '%',
      value: percentage(indicators.released_compute_nodes_count, indicators.compute_nodes_count),
    },
  ],
};
