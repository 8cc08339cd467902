import { ActionFailedError } from '#libs/actions';
import type { ActionAttemptJournal } from '#libs/domain';
import type { ActionView } from '#libs/store';
import { askToAbort, cancelAborted, completeAction, failAction } from './end-action.ts';
import type { PlanRun } from './plan-run.ts';
import { probeAction } from './probe-action.ts';

/**
 * Ends a CANCELLING action in the state that is true: CANCELLED when its operation was aborted or shows no trace,
 * SUCCEEDED when it was too late and has taken effect, FAILED otherwise.
 * @param waitOut waits for the end of an operation that can not be aborted, and records it.
 */
export async function abortAction(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
  waitOut: (journal: ActionAttemptJournal) => Promise<ActionView>,
): Promise<ActionView> {
  await run.deps.racePoint('before-abort');
  let asked: Awaited<ReturnType<typeof askToAbort>>;
  try {
    asked = await askToAbort(run, action, journal);
  } catch (error) {
    run.halt.throwIfAborted();
    return failAction(run, action, { phase: 'execute', error, journal });
  }
  if (asked.isAborted) return cancelAborted(run, action, asked.journal);
  const probed = await probeAction(run, action, asked.journal);
  if (probed === 'not_started') return cancelAborted(run, action, asked.journal);
  if (probed === 'applied') return completeAction(run, action, asked.journal);
  if (probed !== 'unknown') return waitOut(asked.journal);
  const error = new ActionFailedError('it was not aborted, and its outcome is unknown');
  return failAction(run, action, { phase: 'execute', error, journal: asked.journal, endReason: 'interrupted' });
}
