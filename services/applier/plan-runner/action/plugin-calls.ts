import type { PreConditionResult } from '#libs/plugin-kit';
import type { ActionView } from '#libs/store';
import { ActionPluginError } from '../../errors.ts';
import type { PlanRun } from '../plan-run.ts';
import { reasonOf } from '../status-messages.ts';

/** Time budget of one attempt in milliseconds. @throws ActionPluginError when the plugin returns none. */
export function budgetOf(run: PlanRun, action: ActionView): number {
  const plugin = run.deps.actions.get(action.actionType);
  const budgetMs: unknown = queryPlugin(action, 'timeoutMs', () =>
    plugin.timeoutMs(action.inputParameters, run.options.action),
  );
  if (typeof budgetMs === 'number' && budgetMs >= 0) return budgetMs;
  throw new ActionPluginError(action.actionType, 'timeoutMs', 'returned no number of milliseconds');
}

/** Names of the resources that an action occupies. @throws ActionPluginError when the plugin returns none. */
export function namesOf(run: PlanRun, action: ActionView): string[] {
  const plugin = run.deps.actions.get(action.actionType);
  const names: unknown = queryPlugin(action, 'occupies', () => plugin.occupies(action.inputParameters));
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  throw new ActionPluginError(action.actionType, 'occupies', 'returned no list of names');
}

/**
 * Validates a plugin's result of `preCondition` or `reconsider`, since external plugins may return anything.
 * @throws ActionPluginError
 */
export function checkedPreCondition(action: ActionView, response: unknown): PreConditionResult {
  const { go, skip } = (response ?? {}) as { go?: unknown; skip?: unknown };
  if (go === true) return { go };
  if (go === false && typeof skip === 'string') return { go, skip };
  throw new ActionPluginError(action.actionType, 'preCondition', 'returned neither a go-ahead nor a reason to skip');
}

/** Why the action cannot be undone. Null when its type returns no usable reason. */
export function irreversibleText(run: PlanRun, action: ActionView): string | null {
  const plugin = run.deps.actions.get(action.actionType);
  try {
    const text: unknown = plugin.describeIrreversible?.(action.inputParameters);
    return typeof text === 'string' ? text : null;
  } catch (error) {
    run.deps.logger.warn({ action: action.uuid, error }, 'action type cannot describe why it cannot be undone');
    return null;
  }
}

/**
 * Validates a plugin's result of `execute`, `waitFor`, `revert` or `abort`.
 * @throws ActionPluginError when it is neither true nor false.
 */
export function checkedOutcome(
  action: ActionView,
  method: 'execute' | 'waitFor' | 'revert' | 'abort',
  outcome: unknown,
): boolean {
  if (typeof outcome === 'boolean') return outcome;
  throw new ActionPluginError(action.actionType, method, `returned ${nameOf(outcome)}, not true or false`);
}

function nameOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `a ${typeof value}`;
}

function queryPlugin<Result>(action: ActionView, method: string, query: () => Result): Result {
  try {
    return query();
  } catch (error) {
    throw new ActionPluginError(action.actionType, method, `failed: ${reasonOf(error)}`, { cause: error });
  }
}
