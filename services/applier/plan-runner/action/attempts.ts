import type { ActionAttemptJournal, JsonObject } from '#libs/domain';
import type { ActionView, UnitOfWork } from '#libs/store';
import type { PlanRun } from '../plan-run.ts';

/** Intent key with the start of an unbroken chain of attempts, in milliseconds of the clock. */
const beganKey = 'began_ms';

/** First intent of a new attempt, with a separate time budget. */
export function firstIntent(run: PlanRun): JsonObject {
  return { [beganKey]: run.clock.now() };
}

/** Restarts the time budget, in an attempt of this run. */
export async function restartBudget(run: PlanRun, journal: ActionAttemptJournal): Promise<ActionAttemptJournal> {
  const intent = firstIntent(run);
  const phase = 'begun';
  await run.writes.inTransaction((unit) => unit.actionAttempts.write(journal.id, run.fence, { phase, intent }));
  return { ...journal, phase, intent: { ...journal.intent, ...intent } };
}

/**
 * Opens an attempt that continues `former`. It has the time budget and the complete journal of the previous attempt,
 * including requests without a response. A run writes only to its own attempts, so the journal of a lost run never
 * changes.
 */
export async function continueAttempt(
  run: PlanRun,
  unit: UnitOfWork,
  action: ActionView,
  phase: 'resumed' | 'rollback',
): Promise<ActionAttemptJournal> {
  const former = await unit.actionAttempts.latest(action.id);
  const attempt = await unit.actionAttempts.open(action.id, run.fence);
  const intent = former?.intent ?? {};
  const result = former?.result ?? undefined;
  const externalRef = former?.externalRef ?? undefined;
  await unit.actionAttempts.write(attempt.id, run.fence, { phase, intent, result, externalRef });
  return { ...attempt, phase, intent, result: result ?? null, externalRef: externalRef ?? null };
}

/** When the chain of attempts started, in milliseconds of the clock. */
export function attemptStart(journal: ActionAttemptJournal): number {
  const started = journal.intent[beganKey];
  return typeof started === 'number' ? started : journal.startedAt.getTime();
}
