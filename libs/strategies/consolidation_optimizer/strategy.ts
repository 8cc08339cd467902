import type { StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { consolidate } from '../search-based/consolidate.ts';
import type { ConsolidationContext } from '../search-based/consolidation-attempt.ts';
import { readExpectedUse } from '../search-based/consolidation-attempt.ts';
import { readLoads } from '../search-based/loads.ts';
import type { ConsolidationParameters } from '../search-based/parameters.ts';
import { repairFirst } from '../search-based/repair-first.ts';
import { urgentTerms } from '../search-based/terms.ts';
import { acceptingHosts } from '../shared/hosts/rows.ts';
import { targetOf } from '../shared/hosts/target-utilization.ts';
import type { KnownUse } from '../shared/relief/measured-use.ts';
import { planRelief } from '../shared/relief/plan-relief.ts';
import { reliefRule } from '../shared/relief/relieve-overloaded.ts';
import { createBlockedTally } from '../shared/report/blocked-tally.ts';
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

/** A plan that relieves hot hosts, and fills no host of which too little is measured. Null without any. */
async function relieve(context: ConsolidationContext, measured: KnownUse): Promise<StrategyResult | null> {
  const { metrics, parameters } = context;
  const blocked = createBlockedTally();
  const { model } = await readLoads(context.model, metrics, parameters, blocked);
  return planRelief(model, measured, {
    target: targetOf(parameters.target_utilization),
    computeNodes: acceptingHosts(model).length,
    blocked,
  });
}

/** A plan that repairs current violations. Null without violations. */
async function repair(context: ConsolidationContext): Promise<StrategyResult | null> {
  const computeNodes = acceptingHosts(context.model).length;
  const repaired = await repairFirst(context);
  if (repaired === null) return null;
  const { actions, variants, rank, endedBy, report } = repaired;
  return {
    ...{ actions, variants, rank, endedBy, report },
    indicators: {
      compute_nodes_count: computeNodes,
      released_compute_nodes_count: 0,
      instance_migrations_count: actions.length,
    },
  };
}

/**
 * Repairs violations, or else relieves hosts whose load stays high, or else frees hosts, by a search within a number
 * of migrations. If an audit freed hosts first, it would disable some that the relief needs again.
 */
export const consolidationOptimizerStrategy: StrategyPlugin<ConsolidationParameters> = {
  manifest: consolidationOptimizerManifest,
  async run(context): Promise<StrategyResult> {
    const repaired = await repair(context);
    if (repaired) return repaired;
    const measured = await readExpectedUse(context);
    const relief = measured && context.replan === null ? await relieve(context, measured) : null;
    if (relief) return relief;
    const { actions, variants, report, rank, endedBy, considered, freed, migrations } = await consolidate({
      ...context,
      use: measured?.use,
    });
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
