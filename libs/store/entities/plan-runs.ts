import type { Session } from '../session/session.ts';

/** Runs of plans. Starting the same run twice (same fence) returns its existing number. */
export function createPlanRuns(session: Session): PlanRuns {
  return {
    start: ({ actionPlanId, instance, fence }) =>
      session.write(async (manager) => {
        // Two concurrent starts must not choose the same number.
        await manager.query('SELECT 1 FROM action_plans WHERE id = $1 FOR NO KEY UPDATE', [actionPlanId]);
        const rows = await manager.query<{ runNo: number }[]>(
          `INSERT INTO plan_runs (plan_id, run_no, instance_id, fence)
           SELECT $1, coalesce(max(run_no), 0) + 1, $2, $3 FROM plan_runs WHERE plan_id = $1
           ON CONFLICT (plan_id, fence) DO UPDATE SET instance_id = excluded.instance_id
           RETURNING run_no AS "runNo"`,
          [actionPlanId, instance, fence],
        );
        return { runNo: rows[0]?.runNo ?? 0 };
      }),

    end: (actionPlanId, fence, outcome) =>
      session.write(async (manager) => {
        await manager.query('UPDATE plan_runs SET ended_at = now(), outcome = $3 WHERE plan_id = $1 AND fence = $2', [
          actionPlanId,
          fence,
          outcome,
        ]);
      }),

    list: (actionPlanId) =>
      session.read((manager) =>
        manager.query<PlanRunEntry[]>(
          `SELECT run_no AS "runNo", instance_id AS instance, fence, started_at AS "startedAt", ended_at AS "endedAt", outcome
           FROM plan_runs WHERE plan_id = $1 ORDER BY run_no`,
          [actionPlanId],
        ),
      ),

    count: (actionPlanId, options = {}) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ total: number }[]>(
          `SELECT count(*) AS total FROM plan_runs
           WHERE plan_id = $1 AND (outcome IS NULL OR outcome <> ALL ($2::text[]))`,
          [actionPlanId, options.except ?? []],
        );
        return rows[0]?.total ?? 0;
      }),
  };
}

/** One applier's run of a plan. */
export interface PlanRunEntry {
  runNo: number;
  /** Registry id of the applier. */
  instance: string;
  fence: number;
  startedAt: Date;
  /** Null while it runs, and forever when the applier was lost. */
  endedAt: Date | null;
  /** Final state of the plan, or `RELEASED`, `LEASE_LOST` (database unavailable), `BROKEN`. Null as `endedAt`. */
  outcome: string | null;
}

/** Execution history of plans: one row per claim or take-over. */
export interface PlanRuns {
  start(run: { actionPlanId: number; instance: string; fence: number }): Promise<{ runNo: number }>;
  end(actionPlanId: number, fence: number, outcome: string): Promise<void>;
  /** Runs of the plan, oldest first. */
  list(actionPlanId: number): Promise<PlanRunEntry[]>;
  /** Runs of the plan, without those that ended as one of `except`. */
  count(actionPlanId: number, options?: { except?: readonly string[] }): Promise<number>;
}
