import type { ActionAttemptJournal, JsonObject } from '#libs/domain';
import type { ActionView, UnitOfWork } from '#libs/store';
import type { PlanRun } from '../plan-run.ts';
import { openActionScope } from './action-scope.ts';
import { continueAttempt } from './attempts.ts';
import { createCloudOutage } from './cloud-outage.ts';

/** Time for the search in milliseconds. */
const searchBudgetMs = 300_000;

/**
 * Opens an attempt that continues the previous attempt of an action. If the journal lacks the request, for example
 * after a fail-over to a database server without the newest transactions, the applier searches the cloud for the
 * request and journals it.
 */
export async function continueAction(run: PlanRun, action: ActionView): Promise<ActionAttemptJournal> {
  const journal = await run.writes.inTransaction((unit: UnitOfWork) => continueAttempt(run, unit, action, 'resumed'));
  const lost = 'forward' in journal.intent ? null : await findLost(run, action, null);
  return lost === null ? journal : writeLost(run, action, journal, lost);
}

/** The request of a PENDING action that an earlier run of the plan may have started. Null when the cloud shows none. */
export async function findLostStart(run: PlanRun, action: ActionView): Promise<JsonObject | null> {
  return run.firstStarted === null ? null : findLost(run, action, run.firstStarted);
}

/** Journals a request that was found. */
export async function writeLost(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
  lost: JsonObject,
): Promise<ActionAttemptJournal> {
  const phase = 'result';
  const intent = { ...journal.intent, forward: { ...lost, sends: 1 } };
  const result = { ...journal.result, forward: { accepted: true, seen: true, sends: 1 } };
  await run.writes.inTransaction((unit) => unit.actionAttempts.write(journal.id, run.fence, { phase, intent, result }));
  run.deps.logger.warn(
    { plan: run.plan.uuid, action: action.uuid },
    'the journal of the action is lost: its request was found in the cloud',
  );
  return { ...journal, phase, intent, result };
}

async function findLost(run: PlanRun, action: ActionView, since: Date | null): Promise<JsonObject | null> {
  const cloudOutage = createCloudOutage(run, action);
  for (;;) {
    try {
      const lost = await searchOnce(run, action, since);
      await cloudOutage.end();
      return lost;
    } catch (error) {
      run.halt.throwIfAborted();
      run.deps.logger.warn({ action: action.uuid, error }, 'cannot search for request of action');
      if (!(await cloudOutage.waitOut(error))) return null;
    }
  }
}

async function searchOnce(run: PlanRun, action: ActionView, since: Date | null): Promise<JsonObject | null> {
  const deadlineMs = run.clock.now() + searchBudgetMs;
  const scope = openActionScope(run, action, { journal: null, budgetMs: searchBudgetMs, deadlineMs });
  const { signal } = scope.context;
  try {
    run.deps.actions.validate(action.actionType, action.inputParameters);
    const plugin = run.deps.actions.get(action.actionType);
    return await scope.call(async (context) => (await plugin.findLost?.(context, since)) ?? null);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    scope.close();
  }
}
