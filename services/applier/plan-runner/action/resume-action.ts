import { ActionFailedError } from '#libs/actions';
import type { ActionAttemptJournal } from '#libs/domain';
import type { ActionView } from '#libs/store';
import type { PlanRun } from '../plan-run.ts';
import { statusMessages } from '../status-messages.ts';
import { abortAction } from './abort-action.ts';
import { continueAction } from './adopt-lost.ts';
import { attemptStart } from './attempts.ts';
import { completeAction, failAction } from './end-action.ts';
import { executeAgain } from './execute-action.ts';
import { performAction } from './perform-action.ts';
import { probeAction } from './probe-action.ts';
import { settleSends } from './settle-sends.ts';

/**
 * Continues an ONGOING or CANCELLING action of a lost run. It checks the cloud first, and repeats only requests that
 * verifiably had no effect.
 */
export async function resumeAction(run: PlanRun, action: ActionView): Promise<ActionView> {
  const former = await continueAction(run, action);
  if (action.state === 'CANCELLING') {
    return abortAction(run, action, former, (written) => waitOut(run, action, written));
  }
  const { probed: late, journal } = await settleSends(run, action, former);
  const probed = late ?? (await probeAction(run, action, journal));
  run.deps.logger.info({ plan: run.plan.uuid, action: action.uuid, probed }, 'action resumed');
  if (probed === 'applied') return completeAction(run, action, journal);
  if (probed === 'not_started') return executeAgain(run, action, journal);
  if (probed === 'unknown') {
    const error = new ActionFailedError('the outcome of the interrupted attempt is unknown');
    return failAction(run, action, { phase: 'execute', error, journal, endReason: 'interrupted' });
  }
  // Also waits for a failed operation, because its error is the most precise reason.
  return waitOut(run, action, journal);
}

/**
 * Ends an ONGOING or CANCELLING action of an abandoned plan. It sends no request, but waits for the sent requests to
 * store the true state. @param statusMessage of an action without an effect
 */
export async function abandonAction(run: PlanRun, action: ActionView, statusMessage: string): Promise<ActionView> {
  const former = await continueAction(run, action);
  const { probed: late, journal } = await settleSends(run, action, former);
  const probed = late ?? (await probeAction(run, action, journal));
  if (probed === 'applied') return completeAction(run, action, journal);
  if (probed === 'in_progress') return waitOut(run, action, journal);
  return giveUpAction(run, action, statusMessage);
}

/** Ends such an action without checking the cloud. */
export function giveUpAction(run: PlanRun, action: ActionView, statusMessage: string): Promise<ActionView> {
  const event = action.state === 'ONGOING' ? 'fail' : 'failAbort';
  return run.writes.moveAction(action.uuid, event, { statusMessage, endReason: 'interrupted' });
}

/** Waits within the time budget of the first attempt. */
function waitOut(run: PlanRun, action: ActionView, journal: ActionAttemptJournal): Promise<ActionView> {
  return performAction(run, action, journal, { method: 'waitFor', beganMs: attemptStart(journal) });
}

/**
 * Ends an ONGOING or CANCELLING action of a dead applier as Watcher does. If the cloud performs or performed the
 * operation, it waits for the end and stores the end state.
 */
export async function cancelLikeWatcher(run: PlanRun, action: ActionView): Promise<ActionView> {
  const former = await continueAction(run, action);
  const { probed: late, journal } = await settleSends(run, action, former);
  const probed = late ?? (await probeAction(run, action, journal));
  if (probed === 'applied') return completeAction(run, action, journal);
  if (probed === 'in_progress') return waitOut(run, action, journal);
  const set = {
    statusMessage: statusMessages.actionCancelledByStop(run.formerHost ?? run.options.host),
    endedAt: new Date(run.clock.now()),
  };
  if (action.state === 'ONGOING') await run.writes.moveAction(action.uuid, 'beginAbort');
  return run.writes.moveAction(action.uuid, 'finishAbort', set);
}
