import { ActionFailedError } from '#libs/actions';
import type { ActionAttemptJournal } from '#libs/domain';
import type { ProbeResult } from '#libs/plugin-kit';
import type { ActionView } from '#libs/store';
import { openActionScope } from './action-scope.ts';
import { attemptBegan, continueAttempt } from './attempts.ts';
import { completeAction, failAction } from './end-action.ts';
import { executeAgain, performAction } from './execute-action.ts';
import type { PlanRun } from './plan-run.ts';
import { statusMessages } from './status-messages.ts';

/** Time for a look at the cloud in milliseconds. */
const probeBudgetMs = 300_000;
/** Time that a resumed wait has at least, so that an operation that ended meanwhile is not called late. */
const resumedBudgetMs = 30_000;

/**
 * Continues an ONGOING action of a run that was lost: looks at the cloud first, and repeats only what demonstrably had
 * no effect.
 */
export async function resumeAction(run: PlanRun, action: ActionView): Promise<ActionView> {
  if (run.options.onCrash === 'cancel') return cancelLikeWatcher(run, action);
  const journal = await run.writes.inTransaction(async (unit) =>
    continueAttempt(run, unit, action, 'resumed', await unit.actionAttempts.latest(action.id)),
  );
  const probed = await probeAction(run, action, journal);
  run.deps.logger.info({ plan: run.plan.uuid, action: action.uuid, probed }, 'action resumed');
  if (probed === 'applied') return completeAction(run, action, journal);
  if (probed === 'not_started') return executeAgain(run, action);
  if (probed === 'unknown') {
    const error = new ActionFailedError('the outcome of the interrupted attempt is unknown');
    return failAction(run, action, { phase: 'execute', error, journal });
  }
  const plugin = run.deps.actions.get(action.actionType);
  const ends = attemptBegan(journal) + plugin.timeoutMs(action.inputParameters, run.options.action);
  // A failed operation is waited for as well: its own words tell best why it failed.
  const deadlineMs = Math.max(ends, run.deps.clock.now() + resumedBudgetMs);
  return performAction(run, action, journal, { method: 'waitFor', deadlineMs });
}

/** Asks the plugin what became of the journalled operation. Reads only. */
export async function probeAction(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
): Promise<ProbeResult> {
  const deadlineMs = run.deps.clock.now() + probeBudgetMs;
  const scope = openActionScope(run, action, { journal, budgetMs: probeBudgetMs, deadlineMs });
  try {
    return await run.deps.actions.get(action.actionType).probe(scope.context);
  } catch (error) {
    run.halt.throwIfAborted();
    run.deps.logger.warn({ plan: run.plan.uuid, action: action.uuid, error }, 'action could not be probed');
    return 'unknown';
  } finally {
    scope.close();
  }
}

async function cancelLikeWatcher(run: PlanRun, action: ActionView): Promise<ActionView> {
  const set = {
    statusMessage: statusMessages.actionCancelledByStop(run.formerHost ?? run.options.host),
    endedAt: new Date(run.deps.clock.now()),
  };
  return run.writes.inTransaction(async (unit) => {
    await unit.actions.transition(action.uuid, 'beginAbort', { fence: run.fence });
    return unit.actions.transition(action.uuid, 'finishAbort', { fence: run.fence, set });
  });
}
