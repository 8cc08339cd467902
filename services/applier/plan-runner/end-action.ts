import type { ActionAttemptJournal } from '#libs/domain';
import type { ActionView } from '#libs/store';
import { ActionTimeoutError } from '../errors.ts';
import { openActionScope } from './action-scope.ts';
import type { PlanRun } from './plan-run.ts';
import { type ActionPhase, reasonOf, statusMessages } from './status-messages.ts';

/** Time for the post-condition, and for an abort after a time-out, in milliseconds. */
const postBudgetMs = 300_000;
const abortBudgetMs = 600_000;

/** Records a failure. Nothing is recorded while the run is halted: the action is left for the next applier. */
export async function failAction(
  run: PlanRun,
  action: ActionView,
  failure: { phase: ActionPhase; error: unknown; journal?: ActionAttemptJournal },
): Promise<ActionView> {
  run.halt.throwIfAborted();
  const { phase, error, journal } = failure;
  run.deps.logger.warn({ plan: run.plan.uuid, action: action.uuid, phase, error }, 'action failed');
  const set = { statusMessage: statusMessages.failed(phase, reasonOf(error)), endedAt: new Date(run.deps.clock.now()) };
  return run.writes.moveAction(action.uuid, 'fail', set, async (unit) => {
    if (journal) await unit.actionAttempts.write(journal.id, run.fence, { phase: 'failed', ended: true });
  });
}

/** The operation took effect: checks the post-condition and records the success. */
export async function completeAction(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
): Promise<ActionView> {
  const plugin = run.deps.actions.get(action.actionType);
  const deadlineMs = run.deps.clock.now() + postBudgetMs;
  const scope = openActionScope(run, action, { journal, budgetMs: postBudgetMs, deadlineMs });
  try {
    await plugin.postCondition(scope.context);
  } catch (error) {
    return await failAction(run, action, { phase: 'post_condition', error, journal });
  } finally {
    scope.close();
  }
  await run.deps.racePoint('before-succeeded');
  return run.writes.moveAction(action.uuid, 'succeed', { endedAt: new Date(run.deps.clock.now()) }, async (unit) =>
    unit.actionAttempts.write(journal.id, run.fence, { phase: 'succeeded', ended: true }),
  );
}

/** An error came out of `execute` or `waitFor`: a time-out also aborts the operation where that is possible. */
export async function failExecution(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
  error: unknown,
): Promise<ActionView> {
  run.halt.throwIfAborted();
  if (error instanceof ActionTimeoutError) await abortAction(run, action, journal);
  return failAction(run, action, { phase: 'execute', error, journal });
}

async function abortAction(run: PlanRun, action: ActionView, journal: ActionAttemptJournal): Promise<void> {
  const plugin = run.deps.actions.get(action.actionType);
  if (!plugin.abortable) return;
  const deadlineMs = run.deps.clock.now() + abortBudgetMs;
  const scope = openActionScope(run, action, { journal, budgetMs: abortBudgetMs, deadlineMs });
  try {
    const isAborted = await plugin.abort(scope.context);
    run.deps.logger.info({ plan: run.plan.uuid, action: action.uuid, isAborted }, 'abort after a time-out');
  } catch (error) {
    run.halt.throwIfAborted();
    run.deps.logger.warn({ plan: run.plan.uuid, action: action.uuid, error }, 'abort after a time-out failed');
  } finally {
    scope.close();
  }
}
