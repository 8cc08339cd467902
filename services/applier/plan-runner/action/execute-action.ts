import { ActionFailedError, SafetyRailError } from '#libs/actions';
import { type ActionAttemptJournal, type ActionEndReason, StateConflictError } from '#libs/domain';
import { OpenStackError } from '#libs/openstack';
import type { ActionView } from '#libs/store';
import type { PlanRun } from '../plan-run.ts';
import { reasonOf, statusMessages } from '../status-messages.ts';
import { openActionScope } from './action-scope.ts';
import { findLostStart, writeLost } from './adopt-lost.ts';
import { firstIntent, restartBudget } from './attempts.ts';
import { failAction } from './end-action.ts';
import { performAction } from './perform-action.ts';
import { budgetOf, checkedPreCondition, namesOf } from './plugin-calls.ts';
import { requireRules } from './require-rules.ts';

/** Time for the pre-condition in milliseconds. */
const preBudgetMs = 300_000;

/**
 * Runs a PENDING action: pre-condition, start, execute, post-condition. Returns the resulting row, which is still
 * PENDING when the plan was paused or cancelled before the start. @param lost an earlier action that did not succeed.
 * The action runs only if it is valid without that action
 */
export async function executeAction(run: PlanRun, action: ActionView, lost: ActionView | null): Promise<ActionView> {
  const lostRequest = await findLostStart(run, action);
  const pre = lostRequest === null ? await checkPreCondition(run, action, lost) : { go: true as const };
  if ('failed' in pre) return pre.failed;
  if (!pre.go) return skipAction(run, action, pre.skip, pre.endReason ?? 'stale');
  const startedAt = new Date(run.clock.now());
  const journal = await run.writes.startAction(action, { startedAt, intent: firstIntent(run) });
  const started: ActionView = { ...action, state: 'ONGOING', startedAt };
  if (journal && lostRequest !== null) {
    const found = await writeLost(run, started, journal, lostRequest);
    return performAction(run, started, found, { method: 'waitFor' });
  }
  if (journal) return performAction(run, started, journal);
  await run.watch.check();
  return reloadAction(run, action);
}

/** Records that the action is unnecessary. */
export function skipAction(
  run: PlanRun,
  action: ActionView,
  reason: string,
  endReason: ActionEndReason,
): Promise<ActionView> {
  const set = { statusMessage: statusMessages.skipped(reason), endReason };
  return unlessTaken(run, action, () => run.writes.moveAction(action.uuid, 'skip', set));
}

/**
 * Runs an ONGOING action again from its pre-condition, with a new time budget. Call it when no previous attempt took
 * effect. @param journal entries of the previous attempts
 */
export async function executeAgain(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
): Promise<ActionView> {
  const pre = await checkPreCondition(run, action, null);
  if ('failed' in pre) return pre.failed;
  // A started action cannot become SKIPPED. The reason to skip becomes its failure.
  if (!pre.go) return failAction(run, action, { phase: 'pre_condition', error: new ActionFailedError(pre.skip) });
  return performAction(run, action, await restartBudget(run, journal));
}

type Judged = { go: true } | { go: false; skip: string; endReason?: ActionEndReason } | { failed: ActionView };

async function checkPreCondition(run: PlanRun, action: ActionView, lost: ActionView | null): Promise<Judged> {
  const deadlineMs = run.clock.now() + preBudgetMs;
  const scope = openActionScope(run, action, { journal: null, budgetMs: preBudgetMs, deadlineMs });
  try {
    run.deps.actions.validate(action.actionType, action.inputParameters);
    // The values are queried again when they are needed. A plugin that fails to return them fails here, before any
    // change.
    budgetOf(run, action);
    namesOf(run, action);
    const plugin = run.deps.actions.get(action.actionType);
    const pre = checkedPreCondition(action, await scope.call((context) => plugin.preCondition(context)));
    if (pre.go) await requireRules(run, action, scope.context.cloud);
    if (!pre.go || lost === null || !plugin.reconsider) return pre;
    const again = checkedPreCondition(action, await scope.call(async (context) => plugin.reconsider?.(context)));
    return again.go ? again : without(lost, again.skip);
  } catch (error) {
    const cause = scope.context.signal.aborted ? scope.context.signal.reason : error;
    if (lost !== null && isObstacle(cause)) return without(lost, reasonOf(cause));
    const fail = () => failAction(run, action, { phase: 'pre_condition', error: cause });
    return { failed: await unlessTaken(run, action, fail) };
  } finally {
    scope.close();
  }
}

/** Whether an error means that the cloud differs from the plan, rather than that its state is unknown. */
function isObstacle(error: unknown): error is Error {
  const isRefusal = error instanceof ActionFailedError || error instanceof SafetyRailError;
  return isRefusal && !(error.cause instanceof OpenStackError);
}

function without(lost: ActionView, reason: string) {
  return { go: false, skip: statusMessages.withoutParent(lost, reason), endReason: 'parent' } as const;
}

/** Runs `change`. After a conflict, such as a skip by the API, returns the current row. */
async function unlessTaken(run: PlanRun, action: ActionView, change: () => Promise<ActionView>): Promise<ActionView> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof StateConflictError)) throw error;
    return reloadAction(run, action);
  }
}

function reloadAction(run: PlanRun, action: ActionView): Promise<ActionView> {
  return run.writes.persist(() => run.deps.store.db.actions.get(action.uuid));
}
