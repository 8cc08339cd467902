import type { ActionAttemptJournal } from '#libs/domain';
import type { ProbeResult } from '#libs/plugin-kit';
import type { ActionView } from '#libs/store';
import { openActionScope } from './action-scope.ts';
import type { PlanRun } from './plan-run.ts';

/** Time for a look at the cloud in milliseconds. */
const probeBudgetMs = 300_000;

/** Asks the plugin what became of the journalled operation. Reads only. */
export async function probeAction(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
): Promise<ProbeResult> {
  const deadlineMs = run.clock.now() + probeBudgetMs;
  const scope = openActionScope(run, action, { journal, budgetMs: probeBudgetMs, deadlineMs });
  try {
    const plugin = run.deps.actions.get(action.actionType);
    return await scope.call((context) => plugin.probe(context));
  } catch (error) {
    run.halt.throwIfAborted();
    run.deps.logger.warn({ plan: run.plan.uuid, action: action.uuid, error }, 'action could not be probed');
    return 'unknown';
  } finally {
    scope.close();
  }
}
