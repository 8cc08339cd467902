import type { ComputeSnapshot } from '#libs/cluster-model';
import { type BlockedCount, type IdSource, migratingActionTypes, serviceActionTypes } from '#libs/domain';
import {
  type BlockedAction,
  type PlanLimits,
  type PlannedAction,
  type PlannerPlugin,
  type ProposedAction,
  planWith,
  type StrategyManifest,
  type StrategyReport,
  type StrategyResult,
} from '#libs/plugin-kit';
import { cutToBudget } from './migration-budget.ts';
import { type MoveAllowance, withinAllowance } from './move-allowance.ts';

const exampleLimit = 10;

/** Proposal of a strategy, as planned. */
export interface PlannedResult {
  actions: PlannedAction[];
  /** Indicators of the strategy, for the actions in the plan. */
  indicators: Record<string, number>;
  /** Units of indicators, set by the strategy. */
  units: Record<string, string>;
  report: StrategyReport;
}

/**
 * Plans the proposal of a strategy, within the budget of migrations (0: none) and the allowance. Corrects its numbers
 * and report to the actual plan, for migrations that are left to the next audit, that find no room, or that only make
 * room for others.
 */
export function planActions(
  {
    manifest,
    result,
    planner,
    budget,
    allowance,
  }: {
    manifest: StrategyManifest;
    result: StrategyResult;
    planner: PlannerPlugin;
    budget: number;
    /** Default: no budgets over all audits. */
    allowance?: MoveAllowance | undefined;
  },
  { snapshot, limits, newUuid }: { snapshot: ComputeSnapshot; limits: PlanLimits; newUuid: IdSource },
): PlannedResult {
  const cut = cutToBudget(manifest, result.actions, budget);
  const allowed =
    allowance === undefined
      ? { actions: cut.actions, notes: [], blocked: [] }
      : withinAllowance(cut.actions, allowance, manifest.urgentRules ?? []);
  const blocked: BlockedAction[] = [];
  const actions = planWith(planner, allowed.actions, {
    snapshot,
    limits: budget > 0 && manifest.byOrder !== true ? { ...limits, mostMigrations: budget } : limits,
    newUuid,
    leftAlone: result.leftAlone,
    onBlocked: (action) => blocked.push(action),
  });
  const isPartial = allowed.actions.length < result.actions.length || blocked.length > 0;
  const predicts = isPartial && result.indicators.standard_deviation_after_audit !== undefined;
  const { report } = result;
  return {
    actions,
    indicators: asPlanned(result.indicators, result.actions, actions),
    units: result.units ?? {},
    report: {
      ...report,
      blocked: [...report.blocked, ...allowed.blocked, ...countBlocked(blocked)],
      emptyBecause:
        actions.length > 0 ? report.emptyBecause : (report.emptyBecause ?? allowed.notes[0] ?? blocked[0]?.why ?? null),
      notes: [
        ...report.notes,
        ...cut.notes,
        ...allowed.notes,
        ...blocked.slice(0, exampleLimit).map(({ why }) => why),
        ...(isPartial && report.objective !== undefined
          ? ['the objective after the plan is that of everything that the strategy proposed']
          : []),
        ...(predicts ? ['the deviation after the audit is that of everything that the strategy proposed'] : []),
      ],
    },
  };
}

function count(actions: readonly ProposedAction[], isCounted: (action: ProposedAction) => boolean): number {
  return actions.filter(isCounted).length;
}

const isMigration = ({ actionType }: ProposedAction) => migratingActionTypes.includes(actionType);
const isDisable = ({ actionType, inputParameters: { state } }: ProposedAction) =>
  serviceActionTypes.includes(actionType) && state === 'disabled';

/** Adjusts the counts of migrations and of freed hosts by the difference between plan and proposal. */
function asPlanned(
  indicators: Readonly<Record<string, number>>,
  proposed: readonly ProposedAction[],
  planned: readonly ProposedAction[],
): Record<string, number> {
  const changed = { ...indicators };
  const change = (name: string, isCounted: (action: ProposedAction) => boolean) => {
    const value = indicators[name];
    if (value !== undefined)
      changed[name] = Math.max(0, value + count(planned, isCounted) - count(proposed, isCounted));
  };
  change('instance_migrations_count', isMigration);
  change('released_compute_nodes_count', isDisable);
  return changed;
}

function countBlocked(blocked: readonly BlockedAction[]): BlockedCount[] {
  const names = new Map<string, string[]>();
  for (const { constraint, action } of blocked) {
    const { resource_name: name, resource_id: id } = action.inputParameters;
    names.set(constraint, [...(names.get(constraint) ?? []), String(name ?? id)]);
  }
  return [...names].map(([constraint, all]) => ({
    constraint,
    count: all.length,
    examples: all.slice(0, exampleLimit),
  }));
}
