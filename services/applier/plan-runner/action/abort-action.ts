import { ActionFailedError } from '#libs/actions';
import type { ActionAttemptJournal } from '#libs/domain';
import type { ActionView } from '#libs/store';
import type { PlanRun } from '../plan-run.ts';
import { cancelAborted, completeAction, failAction, requestAbort } from './end-action.ts';
import { probeAction } from './probe-action.ts';
import { settleSends } from './settle-sends.ts';

/**
 * Ends a CANCELLING action in its true state: CANCELLED when its operation was aborted or has no trace in the cloud,
 * SUCCEEDED when the operation has already taken effect, FAILED otherwise.
 * @param waitOut waits for the end of an operation that cannot be aborted, and records the result.
 */
export async function abortAction(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
  waitOut: (journal: ActionAttemptJournal) => Promise<ActionView>,
): Promise<ActionView> {
  await run.deps.racePoint('before-abort');
  const requested = await requestAbort(run, action, journal);
  const { probed: late, journal: latest } = await settleSends(run, action, requested.journal);
  if (requested.isAborted && late === null) return cancelAborted(run, action, latest);
  const probed = late ?? (await probeAction(run, action, latest));
  if (probed === 'not_started') return cancelAborted(run, action, latest);
  if (probed === 'applied') return completeAction(run, action, latest);
  if (probed === 'in_progress') return waitOut(latest);
  if (requested.error !== undefined)
    return failAction(run, action, { phase: 'execute', error: requested.error, journal: latest });
  if (probed === 'failed') return waitOut(latest);
  const error = new ActionFailedError('it was not aborted, and its outcome is unknown');
  return failAction(run, action, { phase: 'execute', error, journal: latest, endReason: 'interrupted' });
}
