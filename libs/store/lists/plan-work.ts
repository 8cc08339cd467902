import type { Session } from '../session/session.ts';

/** Actions of a plan that are alike. */
export interface PlanWorkRow {
  actionPlanId: number;
  actionType: string;
  /** Effect on the cloud: the type, or of an action that undoes another the type of that. */
  effect: string;
  /** `live` and so on. Null for what is not a migration. */
  migration: string | null;
  state: string;
  count: number;
}

/** Stored hosts of a plan, summed up. */
export interface PlanHostTotals {
  actionPlanId: number;
  /** MiB of the instances that move. */
  memory: number;
  /** Hosts that the last instance leaves. */
  freed: number;
}

/** Who waits for whom in a plan. */
export interface PlanEdge {
  actionPlanId: number;
  uuid: string;
  actionType: string;
  parents: string[];
  /** Seconds that an action says itself that it takes. */
  duration: number | null;
}

/** Who made or started something, and when. */
export interface PlanPerson {
  target: string;
  userId: string | null;
  userName: string | null;
  at: Date;
}

/** Values for the headlines of many plans at once. */
export interface PlanWork {
  counts(planIds: readonly number[]): Promise<PlanWorkRow[]>;
  hostTotals(planIds: readonly number[]): Promise<PlanHostTotals[]>;
  edges(planIds: readonly number[]): Promise<PlanEdge[]>;
  /** The newest request that was granted for each target, of the operations that start with `operation`. */
  people(targetKind: string, operation: string, targets: readonly string[]): Promise<PlanPerson[]>;
}

/** Reads them, working through `session`. */
export function createPlanWork(session: Session): PlanWork {
  return {
    counts: (planIds) =>
      session.read((manager) =>
        manager.query<PlanWorkRow[]>(
          `SELECT action_plan_id::float8 AS "actionPlanId", action_type AS "actionType", effect, migration, state,
             count(*)::float8 AS count
           FROM (SELECT *, CASE WHEN is_undoing THEN input_parameters->>'action_type' ELSE action_type END AS effect,
               (CASE WHEN is_undoing THEN input_parameters->'input_parameters' ELSE input_parameters END)->>'migration_type' AS migration
             FROM (SELECT *, action_type = 'revert' AND jsonb_typeof(input_parameters->'input_parameters') = 'object' AS is_undoing
               FROM actions WHERE action_plan_id = ANY ($1::bigint[]) AND deleted = 0) AS known) AS told
           GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
          [planIds],
        ),
      ),

    hostTotals: (planIds) =>
      session.read((manager) =>
        manager.query<PlanHostTotals[]>(
          `SELECT plan_id::float8 AS "actionPlanId",
             (SELECT coalesce(sum((value->>'memory')::float8), 0) FROM jsonb_each(doc->'moved')) AS memory,
             (SELECT count(*)::float8 FROM jsonb_array_elements(doc->'hosts') AS host
              WHERE (host->'before'->>'instances')::float8 > 0 AND (host->'after'->>'instances')::float8 = 0) AS freed
           FROM plan_hosts WHERE plan_id = ANY ($1::bigint[])`,
          [planIds],
        ),
      ),

    edges: (planIds) =>
      session.read((manager) =>
        manager.query<PlanEdge[]>(
          `SELECT action_plan_id::float8 AS "actionPlanId", uuid, action_type AS "actionType", parents,
             CASE WHEN jsonb_typeof(input_parameters->'duration') = 'number'
               THEN (input_parameters->>'duration')::float8 END AS duration
           FROM actions WHERE action_plan_id = ANY ($1::bigint[]) AND deleted = 0 ORDER BY id`,
          [planIds],
        ),
      ),

    people: (targetKind, operation, targets) =>
      session.read((manager) =>
        manager.query<PlanPerson[]>(
          `SELECT DISTINCT ON (target) target, user_id AS "userId", user_name AS "userName", at FROM audit_log
           WHERE target = ANY ($3::text[]) AND target_kind = $1 AND starts_with(operation, $2) AND status < 400
           ORDER BY target, id DESC`,
          [targetKind, operation, targets],
        ),
      ),
  };
}
