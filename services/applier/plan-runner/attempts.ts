import type { ActionAttemptJournal, JsonObject } from '#libs/domain';
import type { ActionView, UnitOfWork } from '#libs/store';
import type { PlanRun } from './plan-run.ts';

/** Key of an intent that holds when the first of an unbroken chain of attempts began, in milliseconds of the clock. */
const beganKey = 'began_ms';

/** What a fresh attempt, with its own time budget, begins with. */
export function firstIntent(run: PlanRun): JsonObject {
  return { [beganKey]: run.deps.clock.now() };
}

/** Opens a fresh attempt of an action that is ONGOING already. */
export function beginAttempt(run: PlanRun, unit: UnitOfWork, action: ActionView): Promise<ActionAttemptJournal> {
  return open(run, unit, action, 'begun', firstIntent(run), null);
}

/**
 * Opens an attempt that continues `former`: it knows everything that one wrote and keeps its time budget. A run writes
 * only to attempts of its own, so that the journal of a lost run stays as it was.
 */
export function continueAttempt(
  run: PlanRun,
  unit: UnitOfWork,
  action: ActionView,
  phase: 'resumed' | 'rollback',
  former: ActionAttemptJournal | null,
): Promise<ActionAttemptJournal> {
  return open(run, unit, action, phase, former?.intent ?? {}, former);
}

/** When the chain of attempts began, in milliseconds of the clock. */
export function attemptBegan(journal: ActionAttemptJournal): number {
  const began = journal.intent[beganKey];
  return typeof began === 'number' ? began : journal.startedAt.getTime();
}

async function open(
  run: PlanRun,
  unit: UnitOfWork,
  action: ActionView,
  phase: string,
  intent: JsonObject,
  former: ActionAttemptJournal | null,
): Promise<ActionAttemptJournal> {
  const attempt = await unit.actionAttempts.begin(action.id, run.fence);
  const result = former?.result ?? undefined;
  const externalRef = former?.externalRef ?? undefined;
  await unit.actionAttempts.write(attempt.id, run.fence, { phase, intent, result, externalRef });
  return { ...attempt, phase, intent, result: result ?? null, externalRef: externalRef ?? null };
}
