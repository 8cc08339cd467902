import { ActionFailedError } from '#libs/actions';
import type { ActionAttemptJournal } from '#libs/domain';
import type { ActionView } from '#libs/store';
import { AbortRequestedError, ActionPluginError, ActionTimeoutError } from '../../errors.ts';
import type { PlanRun } from '../plan-run.ts';
import { statusMessages } from '../status-messages.ts';
import { abortAction } from './abort-action.ts';
import { openActionScope } from './action-scope.ts';
import { attemptStart } from './attempts.ts';
import { completeAction, failAction, failExecution } from './end-action.ts';
import { budgetOf, checkedOutcome } from './plugin-calls.ts';
import { settleSends } from './settle-sends.ts';

/** Waits for a request to abort a running action. */
interface AbortListener {
  /** Fires when the action has become CANCELLING. */
  signal: AbortSignal;
  /** Stops waiting. Returns the row, which is CANCELLING when there was a request. */
  settle(): Promise<ActionView>;
}

/** Mode of an attempt: from the start, or waiting for the operation of an earlier attempt. */
interface Manner {
  method: 'execute' | 'waitFor';
  /** Start of the time budget, in milliseconds of the clock. Default: a new budget. */
  beganMs?: number;
}

/** Calls the plugin to execute or, in a resumed attempt, to wait, and records the outcome. */
export async function performAction(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
  manner: Manner = { method: 'execute' },
): Promise<ActionView> {
  const budgetMs = tryBudget(run, action);
  if (budgetMs instanceof ActionPluginError) {
    // A resumed attempt may continue the requests of previous attempts.
    const endReason = manner.method === 'waitFor' ? 'interrupted' : undefined;
    return failAction(run, action, { phase: 'execute', error: budgetMs, journal, endReason });
  }
  const { isDone, error, written, abort } = await attempt(run, action, journal, { ...manner, budgetMs });
  const row = await abort.settle();
  if (isDone) return completeAction(run, row, written);
  return conclude(run, row, written, error);
}

/** Records the end of an attempt that did not succeed, once the outcome of all its requests is known. */
async function conclude(
  run: PlanRun,
  action: ActionView,
  written: ActionAttemptJournal,
  error: unknown,
): Promise<ActionView> {
  const { probed, journal } = await settleSends(run, action, written);
  if (probed === 'applied') return completeAction(run, action, journal);
  const waitOut = (latest: ActionAttemptJournal) =>
    performAction(run, action, latest, { method: 'waitFor', beganMs: attemptStart(latest) });
  if (error instanceof AbortRequestedError) return abortAction(run, action, journal, waitOut);
  if (probed === 'in_progress' && !(error instanceof ActionTimeoutError)) return waitOut(journal);
  if (error !== undefined) return failExecution(run, action, journal, error);
  const refusal = new ActionFailedError(statusMessages.executionFailed(action.uuid));
  return failAction(run, action, { phase: 'execute', error: refusal, journal });
}

function tryBudget(run: PlanRun, action: ActionView): number | ActionPluginError {
  try {
    return budgetOf(run, action);
  } catch (error) {
    if (error instanceof ActionPluginError) return error;
    throw error;
  }
}

async function attempt(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
  { method, beganMs, budgetMs }: Manner & { budgetMs: number },
) {
  const plugin = run.deps.actions.get(action.actionType);
  const now = run.clock.now();
  const deadlineMs =
    beganMs === undefined ? now + budgetMs : Math.max(beganMs + budgetMs, now + run.options.resumedBudgetMs);
  const abort = listenForAbort(run, action);
  const scope = openActionScope(run, action, { journal, budgetMs, deadlineMs, interruption: abort.signal });
  const { context } = scope;
  try {
    const isDone = checkedOutcome(action, method, await scope.call((touched) => plugin[method](touched)));
    return { isDone, written: context.journal.current(), abort };
  } catch (error) {
    const cause: unknown = context.signal.aborted ? context.signal.reason : error;
    return { isDone: false, error: cause, written: context.journal.current(), abort };
  } finally {
    scope.close();
  }
}

/** Only ONGOING actions whose type can be aborted are interrupted. */
function listenForAbort(run: PlanRun, action: ActionView): AbortListener {
  const interruption = new AbortController();
  const isAbortable = action.state === 'ONGOING' && run.deps.actions.get(action.actionType).abortable;
  let moving: Promise<ActionView> | null = null;

  async function interrupt(): Promise<ActionView> {
    const row = await run.writes.moveAction(action.uuid, 'beginAbort');
    interruption.abort(new AbortRequestedError());
    return row;
  }

  function read(): void {
    if (!isAbortable || moving !== null || !run.watch.abortRequested) return;
    moving = interrupt();
    // The error is for the caller that waits for the result.
    moving.catch(() => undefined);
  }

  const stopListening = run.watch.onRead(read);
  read();
  return {
    signal: interruption.signal,
    async settle() {
      stopListening();
      return moving ?? action;
    },
  };
}
