import { ActionFailedError } from '#libs/actions';
import { type ActionAttemptJournal, StateConflictError } from '#libs/domain';
import type { PreConditionResult } from '#libs/plugin-kit';
import type { ActionView } from '#libs/store';
import { openActionScope } from './action-scope.ts';
import { beginAttempt } from './attempts.ts';
import { completeAction, failAction, failExecution } from './end-action.ts';
import type { PlanRun } from './plan-run.ts';
import { statusMessages } from './status-messages.ts';

/** Time for the pre-condition in milliseconds. */
const preBudgetMs = 300_000;

/** Runs a PENDING action: pre-condition, begin, execute, post-condition. Answers the row as it is then. */
export async function executeAction(run: PlanRun, action: ActionView): Promise<ActionView> {
  const pre = await checkPreCondition(run, action);
  if ('failed' in pre) return pre.failed;
  if (!pre.go) return skipAction(run, action, pre.skip);
  const begun = await move(run, action, () => beginAction(run, action));
  return 'journal' in begun ? performAction(run, begun.row, begun.journal) : begun;
}

/** Records that there is nothing to do. */
export function skipAction(run: PlanRun, action: ActionView, reason: string): Promise<ActionView> {
  const set = { statusMessage: statusMessages.skipped(reason) };
  return move(run, action, () => run.writes.moveAction(action.uuid, 'skip', set));
}

/** Runs an ONGOING action again from its pre-condition, when nothing of the former attempt took effect. */
export async function executeAgain(run: PlanRun, action: ActionView): Promise<ActionView> {
  const pre = await checkPreCondition(run, action);
  if ('failed' in pre) return pre.failed;
  // An action that has begun can not become SKIPPED any more; what would have skipped it is its failure.
  if (!pre.go) return failAction(run, action, { phase: 'pre_condition', error: new ActionFailedError(pre.skip) });
  const journal = await run.writes.inTransaction((unit) => beginAttempt(run, unit, action));
  return performAction(run, action, journal);
}

/** Asks the plugin to execute or, in a resumed attempt, to wait, and records how it ended. */
export async function performAction(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
  how: { method: 'execute' | 'waitFor'; deadlineMs?: number } = { method: 'execute' },
): Promise<ActionView> {
  const plugin = run.deps.actions.get(action.actionType);
  const budgetMs = plugin.timeoutMs(action.inputParameters, run.options.action);
  const deadlineMs = how.deadlineMs ?? run.deps.clock.now() + budgetMs;
  const scope = openActionScope(run, action, { journal, budgetMs, deadlineMs });
  let isDone: boolean;
  try {
    isDone = (await plugin[how.method](scope.context)) === true;
  } catch (error) {
    const cause = scope.context.signal.aborted ? scope.context.signal.reason : error;
    return await failExecution(run, action, scope.context.journal.current(), cause);
  } finally {
    scope.close();
  }
  const written = scope.context.journal.current();
  if (isDone) return completeAction(run, action, written);
  const error = new ActionFailedError(statusMessages.executionFailed(action.uuid));
  return failAction(run, action, { phase: 'execute', error, journal: written });
}

async function checkPreCondition(
  run: PlanRun,
  action: ActionView,
): Promise<PreConditionResult | { failed: ActionView }> {
  const deadlineMs = run.deps.clock.now() + preBudgetMs;
  const scope = openActionScope(run, action, { journal: null, budgetMs: preBudgetMs, deadlineMs });
  try {
    run.deps.actions.validate(action.actionType, action.inputParameters);
    return await run.deps.actions.get(action.actionType).preCondition(scope.context);
  } catch (error) {
    const cause = scope.context.signal.aborted ? scope.context.signal.reason : error;
    return { failed: await move(run, action, () => failAction(run, action, { phase: 'pre_condition', error: cause })) };
  } finally {
    scope.close();
  }
}

/** PENDING → ONGOING with a fresh attempt, unless the plan is not ONGOING any more. */
async function beginAction(
  run: PlanRun,
  action: ActionView,
): Promise<ActionView | { row: ActionView; journal: ActionAttemptJournal }> {
  return run.writes.inTransaction(async (unit) => {
    const plan = await unit.actionPlans.get(run.plan.uuid);
    if (plan.state !== 'ONGOING') return unit.actions.get(action.uuid);
    const set = { startedAt: new Date(run.deps.clock.now()) };
    const row = await unit.actions.transition(action.uuid, 'begin', { set, fence: run.fence });
    return { row, journal: await beginAttempt(run, unit, row) };
  });
}

/** Does `change`; when somebody else was first (a skip by the API), answers the row as they left it. */
async function move<Answer>(run: PlanRun, action: ActionView, change: () => Promise<Answer>) {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof StateConflictError)) throw error;
    return run.writes.persist(() => run.deps.store.db.actions.get(action.uuid));
  }
}
