import type { WhatIf } from '#libs/cluster-model';
import type { StrategyContext, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { consolidate } from '../search-based/consolidate.ts';
import { readExpectedUse } from '../search-based/consolidation-attempt.ts';
import { hotLimitsOf } from '../search-based/hot-limits.ts';
import { packAndSpreadTerms } from '../search-based/merged-terms.ts';
import { type Optimized, optimize } from '../search-based/optimize.ts';
import { defragmentTerms, licenceTerms } from '../search-based/place-terms.ts';
import { relieveFirst } from '../search-based/relief-in-plan.ts';
import { repairFirst } from '../search-based/repair-first.ts';
import { targetTerm } from '../search-based/target-term.ts';
import { balanceTerms, type Term, urgentTerms } from '../search-based/terms.ts';
import { targetOf } from '../shared/hosts/target-utilization.ts';
import { reliefRule } from '../shared/relief/relieve-overloaded.ts';
import { type PlacementOptimizerParameters, placementOptimizerParameters } from './parameters.ts';

/** Describes `placement_optimizer`. */
const placementOptimizerManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'placement_optimizer',
  displayName: 'Placement Optimizer',
  goal: 'placement_optimization',
  description:
    'Searches for the best placement by a preset: balance, consolidate, defragment, licences, or repair_only. Levels are compared in order: broken rules, risks, the aim, ' +
    'the price of the migrations. It reports the distance of the plan to the best possible one.',
  parameters: placementOptimizerParameters,
  // Without measurements, allocations are used.
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: true,
  replans: true,
  readsPast: true,
  urgentRules: [...urgentTerms, reliefRule],
  starts: 2,
};

/** The aim of each preset except `consolidate`, which has a separate search. */
const aims: Record<
  Exclude<PlacementOptimizerParameters['preset'], 'consolidate'>,
  (model: WhatIf, cpu: Float64Array, parameters: PlacementOptimizerParameters) => Term[]
> = {
  balance: balanceTerms,
  defragment: (model, _, { flavors }) => defragmentTerms(model, flavors),
  licences: (model, _, { licensed }) => licenceTerms(model, licensed),
  repair_only: () => [],
};

type Planned = Omit<Optimized, 'after' | 'cpu' | 'newWorth'>;

/** Repairs violations, or else relieves hot hosts and frees others, or else empties disabled ones within the target. */
async function freeHosts(context: StrategyContext<PlacementOptimizerParameters>): Promise<Planned> {
  const repaired = await repairFirst(context);
  if (repaired !== null) return repaired;
  const measured = await readExpectedUse(context);
  const freed = await consolidate(
    { ...context, use: measured?.use },
    measured === null ? undefined : relieveFirst(context, measured),
  );
  if (freed.actions.length > 0 || context.replan !== null) return freed;
  const target = targetOf(context.parameters.target_utilization);
  const relieved = await optimize(context, { terms: (model) => [targetTerm(model, target, false)] });
  return relieved.actions.length > 0 ? relieved : freed;
}

/** A plan for a preset. */
async function planFor(context: StrategyContext<PlacementOptimizerParameters>): Promise<Planned> {
  const { parameters } = context;
  const { preset, both_aims: hasBoth } = parameters;
  if (hasBoth)
    return optimize(context, { terms: (model, loads) => packAndSpreadTerms(model, loads, hotLimitsOf(parameters)) });
  if (preset === 'consolidate') return freeHosts(context);
  return optimize(context, { terms: (model, { cpu }) => aims[preset](model, cpu, parameters) });
}

/** The best placement for a preset, within a number of migrations. */
export const placementOptimizerStrategy: StrategyPlugin<PlacementOptimizerParameters> = {
  manifest: placementOptimizerManifest,
  async run(context): Promise<StrategyResult> {
    const { actions, variants, report, rank, endedBy, leftAlone, points, movedGib } = await planFor(context);
    return {
      actions,
      variants,
      rank,
      endedBy,
      leftAlone,
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
