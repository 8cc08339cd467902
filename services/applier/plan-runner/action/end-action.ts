import { ActionFailedError, ActionInputError, hostsOfActions, UnknownActionTypeError } from '#libs/actions';
import type { ActionAttemptJournal, ActionEndReason } from '#libs/domain';
import type { ActionView } from '#libs/store';
import { ActionPluginError, ActionTimeoutError } from '../../errors.ts';
import type { PlanRun } from '../plan-run.ts';
import { type ActionPhase, reasonOf, statusMessages } from '../status-messages.ts';
import { openActionScope } from './action-scope.ts';
import { checkedOutcome } from './plugin-calls.ts';
import { probeAction } from './probe-action.ts';

/** Time for the post-condition, and for an abort, in milliseconds. */
const postBudgetMs = 300_000;
const abortBudgetMs = 600_000;

/** For actions that can never succeed. */
const invalidErrors = [ActionInputError, UnknownActionTypeError, ActionPluginError];

interface Failure {
  phase: ActionPhase;
  error: unknown;
  journal?: ActionAttemptJournal;
  /** Default follows from phase and error. */
  endReason?: ActionEndReason;
}

/** Records a failure. While the run is halted it records nothing, and the next applier continues the action. */
export async function failAction(run: PlanRun, action: ActionView, failure: Failure): Promise<ActionView> {
  run.halt.throwIfAborted();
  const { phase, error, journal } = failure;
  const refusal = error instanceof ActionFailedError ? error.refusal : null;
  run.deps.logger.warn({ plan: run.plan.uuid, action: action.uuid, phase, refusal, error }, 'action failed');
  const row = await run.writes.endAction(action, {
    event: action.state === 'CANCELLING' ? 'failAbort' : 'fail',
    statusMessage: statusMessages.failed(phase, reasonOf(error)),
    endReason: failure.endReason ?? endReasonOf(phase, error),
    refusal,
    endedAt: new Date(run.clock.now()),
    attempt: journal && { id: journal.id, phase: 'failed' },
  });
  if (refusal !== null) run.deps.metrics.actionRefused(action.actionType, refusal);
  return row;
}

function endReasonOf(phase: ActionPhase, error: unknown): ActionEndReason {
  if (error instanceof ActionTimeoutError) return 'timeout';
  if (invalidErrors.some((kind) => error instanceof kind)) return 'invalid';
  return phase === 'pre_condition' ? 'stale' : 'failed';
}

/** Called when the operation took effect: checks the post-condition and records the success. */
export async function completeAction(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
): Promise<ActionView> {
  const plugin = run.deps.actions.get(action.actionType);
  const deadlineMs = run.clock.now() + postBudgetMs;
  const scope = openActionScope(run, action, { journal, budgetMs: postBudgetMs, deadlineMs });
  try {
    await scope.call((context) => plugin.postCondition(context));
  } catch (error) {
    return await failAction(run, action, { phase: 'post_condition', error, journal });
  } finally {
    scope.close();
  }
  await run.deps.racePoint('before-succeeded');
  return run.writes.endAction(action, {
    event: action.state === 'CANCELLING' ? 'succeedDespiteAbort' : 'succeed',
    statusMessage: null,
    endReason: null,
    endedAt: new Date(run.clock.now()),
    attempt: { id: journal.id, phase: 'succeeded' },
    changedHosts: hostsOfActions([action]),
  });
}

/** Called when the operation was undone by its service, or never requested. */
export function cancelAborted(run: PlanRun, action: ActionView, journal: ActionAttemptJournal): Promise<ActionView> {
  return run.writes.endAction(action, {
    event: 'finishAbort',
    statusMessage: statusMessages.aborted,
    endReason: 'aborted',
    endedAt: new Date(run.clock.now()),
    attempt: { id: journal.id, phase: 'aborted' },
  });
}

/** Handles an error of `execute` or `waitFor`. After a timeout it also aborts the operation if possible. */
export async function failExecution(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
  error: unknown,
): Promise<ActionView> {
  run.halt.throwIfAborted();
  if (!(error instanceof ActionTimeoutError) || !run.deps.actions.get(action.actionType).abortable) {
    return failAction(run, action, { phase: 'execute', error, journal });
  }
  const requested = await requestAbort(run, action, journal);
  const isTooLate = !requested.isAborted && (await probeAction(run, action, requested.journal)) === 'applied';
  if (isTooLate) return completeAction(run, action, requested.journal);
  return failAction(run, action, { phase: 'execute', error, journal: requested.journal });
}

/** Result of the request to abort. */
interface AbortOutcome {
  isAborted: boolean;
  /** Error that the plugin threw. */
  error?: unknown;
  /** After the last write of the plugin. */
  journal: ActionAttemptJournal;
}

/** Calls the plugin's abort. */
export async function requestAbort(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
): Promise<AbortOutcome> {
  const fields = { plan: run.plan.uuid, action: action.uuid };
  const deadlineMs = run.clock.now() + abortBudgetMs;
  const scope = openActionScope(run, action, { journal, budgetMs: abortBudgetMs, deadlineMs });
  try {
    const plugin = run.deps.actions.get(action.actionType);
    const isAborted = checkedOutcome(action, 'abort', await scope.call((context) => plugin.abort(context)));
    run.deps.logger.info({ ...fields, isAborted }, 'abort requested');
    return { isAborted, journal: scope.context.journal.current() };
  } catch (error) {
    run.halt.throwIfAborted();
    run.deps.logger.warn({ ...fields, error }, 'abort failed');
    return { isAborted: false, error, journal: scope.context.journal.current() };
  } finally {
    scope.close();
  }
}
