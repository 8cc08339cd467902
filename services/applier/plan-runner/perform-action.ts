import { ActionFailedError } from '#libs/actions';
import type { ActionAttemptJournal } from '#libs/domain';
import type { ActionView } from '#libs/store';
import { AbortRequestedError } from '../errors.ts';
import { abortAction } from './abort-action.ts';
import { openActionScope } from './action-scope.ts';
import { completeAction, failAction, failExecution } from './end-action.ts';
import { listenForAbort } from './listen-for-abort.ts';
import type { PlanRun } from './plan-run.ts';
import { statusMessages } from './status-messages.ts';

/** How an attempt is made: from the start, or by waiting for what an earlier one asked for. */
interface Manner {
  method: 'execute' | 'waitFor';
  /** End of the time budget in milliseconds of the clock; default is a fresh budget. */
  deadlineMs?: number;
}

/** Asks the plugin to execute or, in a resumed attempt, to wait, and records how it ended. */
export async function performAction(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
  manner: Manner = { method: 'execute' },
): Promise<ActionView> {
  const { isDone, error, written, abort } = await attempt(run, action, journal, manner);
  const row = await abort.settle();
  if (isDone) return completeAction(run, row, written);
  if (error instanceof AbortRequestedError) {
    return abortAction(run, row, written, (latest) => performAction(run, row, latest, { method: 'waitFor' }));
  }
  if (error !== undefined) return failExecution(run, row, written, error);
  const refusal = new ActionFailedError(statusMessages.executionFailed(action.uuid));
  return failAction(run, row, { phase: 'execute', error: refusal, journal: written });
}

async function attempt(run: PlanRun, action: ActionView, journal: ActionAttemptJournal, manner: Manner) {
  const plugin = run.deps.actions.get(action.actionType);
  const budgetMs = plugin.timeoutMs(action.inputParameters, run.options.action);
  const deadlineMs = manner.deadlineMs ?? run.deps.clock.now() + budgetMs;
  const abort = listenForAbort(run, action);
  const scope = openActionScope(run, action, { journal, budgetMs, deadlineMs, interruption: abort.signal });
  const { context } = scope;
  try {
    const isDone = (await scope.call((touched) => plugin[manner.method](touched))) === true;
    return { isDone, written: context.journal.current(), abort };
  } catch (error) {
    const cause: unknown = context.signal.aborted ? context.signal.reason : error;
    return { isDone: false, error: cause, written: context.journal.current(), abort };
  } finally {
    scope.close();
  }
}
