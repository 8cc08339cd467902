import type { ActionAttemptJournal, JsonObject } from '#libs/domain';
import type { ActionView, UnitOfWork } from '#libs/store';
import type { PlanRun } from '../plan-run.ts';

/**
 * Key of an intent that holds when the first of an unbroken chain of attempts started, in milliseconds of the clock.
 */
const beganKey = 'began_ms';

/** First intent of a fresh attempt, with its own time budget. */
export function firstIntent(run: PlanRun): JsonObject {
  return { [beganKey]: run.clock.now() };
}

/** Lets the time budget start anew, in an attempt of this run. */
export async function restartBudget(run: PlanRun, journal: ActionAttemptJournal): Promise<ActionAttemptJournal> {
  const intent = firstIntent(run);
  const phase = 'begun';
  await run.writes.inTransaction((unit) => unit.actionAttempts.write(journal.id, run.fence, { phase, intent }));
  return { ...journal, phase, intent: { ...journal.intent, ...intent } };
}

/**
 * Opens an attempt that continues `former`: it knows everything that one wrote, also what was sent without a response,
 * and keeps its time budget. A run writes only to attempts of its own, so that the journal of a lost run stays as it
 * was.
 */
export async function continueAttempt(
  run: PlanRun,
  unit: UnitOfWork,
  action: ActionView,
  phase: 'resumed' | 'rollback',
): Promise<ActionAttemptJournal> {
  const former = await unit.actionAttempts.latest(action.id);
  const attempt = await unit.actionAttempts.begin(action.id, run.fence);
  const intent = former?.intent ?? {};
  const result = former?.result ?? undefined;
  const externalRef = former?.externalRef ?? undefined;
  await unit.actionAttempts.write(attempt.id, run.fence, { phase, intent, result, externalRef });
  return { ...attempt, phase, intent, result: result ?? null, externalRef: externalRef ?? null };
}

/** When the chain of attempts started, in milliseconds of the clock. */
export function attemptBegan(journal: ActionAttemptJournal): number {
  const began = journal.intent[beganKey];
  return typeof began === 'number' ? began : journal.startedAt.getTime();
}
