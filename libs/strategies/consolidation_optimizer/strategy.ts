import type { StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { consolidate } from '../search-based/consolidate.ts';
import type { ConsolidationParameters } from '../search-based/parameters.ts';
import { urgentTerms } from '../search-based/terms.ts';
import { consolidationOptimizerParameters } from './parameters.ts';

/** Describes `consolidation_optimizer`. */
const consolidationOptimizerManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'consolidation_optimizer',
  displayName: 'Consolidation Optimizer',
  goal: 'server_consolidation',
  description:
    'Searches for the plan that frees most hosts within a number of migrations, and of those plans the one that moves the least memory. It leaves the ' +
    'reserve for failures, makes no host hot, and reports the least number of hosts that any plan needs.',
  parameters: consolidationOptimizerParameters,
  // Without measurements it counts allocations.
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: true,
  replans: true,
  readsPast: true,
  urgentRules: urgentTerms,
  starts: 2,
};

/** Frees hosts by search, within a number of migrations. */
export const consolidationOptimizerStrategy: StrategyPlugin<ConsolidationParameters> = {
  manifest: consolidationOptimizerManifest,
  async run(context): Promise<StrategyResult> {
    const { actions, variants, report, rank, endedBy, considered, freed, migrations } = await consolidate(context);
    return {
      actions,
      variants,
      rank,
      endedBy,
      report,
      indicators: {
        compute_nodes_count: considered,
        released_compute_nodes_count: freed,
        instance_migrations_count: migrations,
      },
    };
  },
};
