import type { ActionAttemptJournal } from '#libs/domain';
import type { ProbeResult } from '#libs/plugin-kit';
import type { ActionView } from '#libs/store';
import type { PlanRun } from '../plan-run.ts';
import { openActionScope } from './action-scope.ts';
import { createCloudOutage } from './cloud-outage.ts';

/** Time for a check of the cloud in milliseconds. */
const probeBudgetMs = 300_000;

/**
 * Queries the plugin for the state of the journalled operation, and repeats while the cloud is unavailable. Reads only.
 * @returns `unknown` when the plugin fails or cannot determine the state.
 * @throws RunSuspendedError when the cloud was unavailable for too long.
 */
export async function probeAction(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
): Promise<ProbeResult> {
  const cloudOutage = createCloudOutage(run, action);
  for (;;) {
    try {
      const probed = await checkOnce(run, action, journal);
      await cloudOutage.end();
      return probed;
    } catch (error) {
      run.halt.throwIfAborted();
      run.deps.logger.warn({ plan: run.plan.uuid, action: action.uuid, error }, 'cannot probe action');
      if (!(await cloudOutage.waitOut(error))) return 'unknown';
    }
  }
}

async function checkOnce(run: PlanRun, action: ActionView, journal: ActionAttemptJournal): Promise<ProbeResult> {
  const deadlineMs = run.clock.now() + probeBudgetMs;
  const scope = openActionScope(run, action, { journal, budgetMs: probeBudgetMs, deadlineMs });
  const { signal } = scope.context;
  try {
    const plugin = run.deps.actions.get(action.actionType);
    return await scope.call((context) => plugin.probe(context));
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    scope.close();
  }
}
