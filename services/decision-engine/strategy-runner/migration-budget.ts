import { counted, type JsonObject, migratingActionTypes, serviceActionTypes } from '#libs/domain';
import type { ProposedAction, StrategyManifest } from '#libs/plugin-kit';

const parameter = 'migration_budget';

/** Whether the strategy respects a budget. */
function keepsBudget({ parameters }: StrategyManifest): boolean {
  return ((parameters.properties ?? {}) as JsonObject)[parameter] !== undefined;
}

/**
 * Returns the actions up to the last migration within the budget (0: all). Hosts that later migrations would have
 * emptied are not disabled. Strategies list their actions in a feasible order, so the rest is feasible too. Proposals
 * of strategies that respect a budget or follow an order are not cut.
 */
export function cutToBudget(
  manifest: StrategyManifest,
  actions: ProposedAction[],
  budget: number,
): { actions: ProposedAction[]; notes: string[] } {
  if (budget === 0 || manifest.byOrder === true || keepsBudget(manifest)) return { actions, notes: [] };
  const postponed = new Set(
    actions.filter(({ actionType }) => migratingActionTypes.includes(actionType)).slice(budget),
  );
  if (postponed.size === 0) return { actions, notes: [] };
  const busy = new Set([...postponed].map(({ inputParameters }) => inputParameters.source_node));
  const isForNothing = ({ actionType, inputParameters: { state, resource_name: host } }: ProposedAction) =>
    serviceActionTypes.includes(actionType) && state === 'disabled' && busy.has(host);
  return {
    actions: actions.filter((action) => !postponed.has(action) && !isForNothing(action)),
    notes: [`${counted(postponed.size, 'migration', ['is', 'are'])} left to the next audit by the budget of ${budget}`],
  };
}
