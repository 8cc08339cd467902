import type { StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { consolidate } from '../optimizing/consolidate.ts';
import type { ConsolidationParameters } from '../optimizing/parameters.ts';
import { consolidationOptimizerManifest } from './manifest.ts';

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
