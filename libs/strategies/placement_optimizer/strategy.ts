import type { StrategyContext, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { consolidate } from '../optimizing/consolidate.ts';
import { type Optimized, optimize } from '../optimizing/optimize.ts';
import { balanceTerms } from '../optimizing/terms.ts';
import { placementOptimizerManifest } from './manifest.ts';
import type { PlacementOptimizerParameters } from './parameters.ts';

/** A plan for a preset. */
function planFor(context: StrategyContext<PlacementOptimizerParameters>): Promise<Omit<Optimized, 'after' | 'cpu'>> {
  const { preset } = context.parameters;
  if (preset === 'consolidate') return consolidate(context);
  return optimize(context, preset === 'balance' ? balanceTerms : () => []);
}

/** The best placement for a preset, within a number of migrations. */
export const placementOptimizerStrategy: StrategyPlugin<PlacementOptimizerParameters> = {
  manifest: placementOptimizerManifest,
  async run(context): Promise<StrategyResult> {
    const { actions, variants, report, rank, endedBy, points, movedGib } = await planFor(context);
    return {
      actions,
      variants,
      rank,
      endedBy,
      report,
      indicators: {
        instance_migrations_count: actions.filter(({ actionType }) => actionType === 'migrate').length,
        points_before_audit: points.before,
        points_after_audit: Math.max(0, points.after),
        moved_memory: movedGib,
      },
    };
  },
};
