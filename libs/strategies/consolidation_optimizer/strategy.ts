import type { StrategyContext, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { consolidate } from '../search-based/consolidate.ts';
import type { ConsolidationContext } from '../search-based/consolidation-attempt.ts';
import { readExpectedUse } from '../search-based/consolidation-attempt.ts';
import { relieveFirst } from '../search-based/relief-in-plan.ts';
import { repairFirst } from '../search-based/repair-first.ts';
import { urgentTerms } from '../search-based/terms.ts';
import { holdsForeignAllocation } from '../shared/hosts/allocation-values.ts';
import { acceptingHosts } from '../shared/hosts/rows.ts';
import { reliefRule } from '../shared/relief/relieve-overloaded.ts';
import {
  type ConsolidationOptimizerParameters,
  consolidationOptimizerParameters,
  defaultMaxMoves,
} from './parameters.ts';

/** Describes `consolidation_optimizer`. */
const consolidationOptimizerManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'consolidation_optimizer',
  displayName: 'Consolidation Optimizer',
  goal: 'server_consolidation',
  description:
    'Searches for the plan that frees the most hosts within a number of migrations. Of such plans it prefers ' +
    'those that keep large hosts and move little memory. It keeps the failure reserve, makes no host hot, and ' +
    'reports the least number of hosts that any plan needs. Hosts whose load stays high are relieved first.',
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

/** The context with a given or default `max_moves`. */
function withMaxMoves(context: StrategyContext<ConsolidationOptimizerParameters>): ConsolidationContext {
  const { model, parameters } = context;
  const { max_moves = defaultMaxMoves(acceptingHosts(model).length) } = parameters;
  return { ...context, parameters: { ...parameters, max_moves } };
}

/** A plan that repairs current violations. Null without violations. */
async function repair(context: ConsolidationContext): Promise<StrategyResult | null> {
  const { model } = context;
  const computeNodes = acceptingHosts(model).length;
  const occupied = [...model.enabled.keys()].filter((host) => model.instancesOn(host).length > 0);
  const repaired = await repairFirst(context);
  if (repaired === null) return null;
  const { actions, variants, rank, endedBy, leftAlone, report } = repaired;
  const emptied = occupied.filter(
    (host) => model.instancesOn(host).length === 0 && !holdsForeignAllocation(model, host),
  );
  return {
    ...{ actions, variants, rank, endedBy, leftAlone, report },
    indicators: {
      compute_nodes_count: computeNodes,
      released_compute_nodes_count: emptied.length,
      instance_migrations_count: actions.length,
    },
  };
}

/**
 * Repairs violations, or else relieves hosts whose load stays high and frees hosts, by a search within a number of
 * migrations.
 */
export const consolidationOptimizerStrategy: StrategyPlugin<ConsolidationOptimizerParameters> = {
  manifest: consolidationOptimizerManifest,
  async run(given): Promise<StrategyResult> {
    const context = withMaxMoves(given);
    const repaired = await repair(context);
    if (repaired) return repaired;
    const measured = await readExpectedUse(context);
    const { actions, variants, report, rank, endedBy, leftAlone, considered, freed, migrations } = await consolidate(
      { ...context, use: measured?.use },
      measured === null ? undefined : relieveFirst(context, measured),
    );
    return {
      actions,
      variants,
      rank,
      endedBy,
      leftAlone,
      report,
      indicators: {
        compute_nodes_count: considered,
        released_compute_nodes_count: freed,
        instance_migrations_count: migrations,
      },
    };
  },
};
