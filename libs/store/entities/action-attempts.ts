import { type ActionAttemptJournal, type JsonObject, LeaseLostError, NotFoundError } from '#libs/domain';
import type { Session } from '../session/session.ts';
import { planFenceGuard } from './plan-fence.ts';

const columns = `id, action_id AS "actionId", attempt_no AS "attemptNo", fence, phase, intent, result,
  external_ref AS "externalRef", started_at AS "startedAt", ended_at AS "endedAt"`;

/**
 * The journal. Writes need the current fencing number of the action's plan, regardless of the process that opened the
 * attempt.
 */
export function createActionAttempts(session: Session): ActionAttempts {
  return {
    open: (actionId, fence) =>
      session.write(async (manager) => {
        const guard = planFenceGuard('actions.action_plan_id', '$2');
        const actions = await manager.query<unknown[]>(
          `SELECT 1 FROM actions WHERE id = $1 AND ${guard} FOR NO KEY UPDATE`,
          [actionId, fence],
        );
        if (actions.length === 0) throw new LeaseLostError(`the plan of action ${actionId}`);
        const rows = await manager.query<ActionAttemptJournal[]>(
          `INSERT INTO action_attempts (action_id, attempt_no, fence)
           SELECT $1, coalesce(max(attempt_no), 0) + 1, $2 FROM action_attempts WHERE action_id = $1
           RETURNING ${columns}`,
          [actionId, fence],
        );
        const [attempt] = rows;
        if (!attempt) throw new NotFoundError('Action', String(actionId));
        return attempt;
      }),

    latest: (actionId) =>
      session.read(async (manager) => {
        const rows = await manager.query<ActionAttemptJournal[]>(
          `SELECT ${columns} FROM action_attempts WHERE action_id = $1 ORDER BY attempt_no DESC LIMIT 1`,
          [actionId],
        );
        return rows[0] ?? null;
      }),

    latestOfPlan: (actionPlanId) =>
      session.read((manager) =>
        manager.query<ActionAttemptJournal[]>(
          `SELECT DISTINCT ON (action_id) ${columns} FROM action_attempts
           WHERE action_id IN (SELECT id FROM actions WHERE action_plan_id = $1)
           ORDER BY action_id, attempt_no DESC`,
          [actionPlanId],
        ),
      ),

    write: (attemptId, fence, entry) =>
      session.write(async (manager) => {
        const guard = planFenceGuard(
          '(SELECT action_plan_id FROM actions WHERE actions.id = action_attempts.action_id)',
          '$2',
        );
        const [, count] = await manager.query<[unknown[], number]>(
          `UPDATE action_attempts SET
             phase = $3,
             intent = intent || coalesce($4::jsonb, '{}'),
             result = CASE WHEN $5::jsonb IS NULL THEN result ELSE coalesce(result, '{}') || $5::jsonb END,
             external_ref = coalesce($6, external_ref),
             ended_at = CASE WHEN $7 THEN now() ELSE ended_at END
           WHERE id = $1 AND ${guard}`,
          [
            attemptId,
            fence,
            entry.phase,
            entry.intent === undefined ? null : JSON.stringify(entry.intent),
            entry.result === undefined ? null : JSON.stringify(entry.result),
            entry.externalRef ?? null,
            entry.ended ?? false,
          ],
        );
        if (count > 0) return;
        const found = await manager.query<unknown[]>('SELECT 1 FROM action_attempts WHERE id = $1', [attemptId]);
        if (found.length === 0) throw new NotFoundError('ActionAttempt', String(attemptId));
        throw new LeaseLostError(`the plan of action attempt ${attemptId}`);
      }),
  };
}

/** Journal of an action's attempts. See `ActionAttemptJournal`. */
export interface ActionAttempts {
  /** Opens the next attempt. */
  open(actionId: number, fence: number): Promise<ActionAttemptJournal>;
  /** The newest attempt, or null. */
  latest(actionId: number): Promise<ActionAttemptJournal | null>;
  /** The newest attempt of each tried action of a plan. */
  latestOfPlan(actionPlanId: number): Promise<ActionAttemptJournal[]>;
  /** Merges `intent` or `result` into the attempt and sets `phase` and `externalRef`. Guarded by `fence`. */
  write(
    attemptId: number,
    fence: number,
    entry: { phase: string; intent?: JsonObject; result?: JsonObject; externalRef?: string; ended?: boolean },
  ): Promise<void>;
}
