import { copyingActionTypes, type JsonObject, type QuantityChange, type ReserveChange } from '#libs/domain';
import { textList } from '../list-query.ts';
import type { Session } from '../session/session.ts';

/** Equal actions of a plan. */
export interface PlanWorkRow {
  actionPlanId: number;
  actionType: string;
  /** Action type. For a revert, the type of the undone action. */
  effect: string;
  /** Way of the migration, such as `live`. Null for other actions. */
  migration: string | null;
  state: string;
  count: number;
}

/** Totals of the stored hosts of a plan. */
export interface PlanHostTotals {
  actionPlanId: number;
  /** MiB of the instances that move. */
  memory: number;
  /** See `freedHosts` of the domain. */
  freed: number;
  /** Null for plans of earlier releases. */
  quantities: QuantityChange[] | null;
  /** Null for plans of earlier releases. */
  reserve: ReserveChange[] | null;
}

/** Dependencies between the actions of a plan. */
export interface PlanEdge {
  actionPlanId: number;
  uuid: string;
  /** Action type. For a revert, the type of the undone action. */
  actionType: string;
  migrationType: string | null;
  /** MiB of the instance, or GiB of the volume. Null if unknown, or if nothing moves. */
  size: number | null;
  parents: string[];
  /** Duration in seconds that the action declares. */
  duration: number | null;
  /** Source and destination host of a migration. Null without a migration, or when Nova chooses. */
  sourceHost: string | null;
  destinationHost: string | null;
}

/** An action of another plan that changed the cloud within a window of time. */
export interface ConcurrentAction {
  planUuid: string;
  actionType: string;
  inputParameters: JsonObject;
  /** End of the action or of its revert. Null while either runs. */
  endedAt: Date | null;
}

/** User and time of a creation or a start. */
export interface PlanPerson {
  target: string;
  userId: string | null;
  userName: string | null;
  at: Date;
}

/** Values for the headlines of several plans in one query. */
export interface PlanWork {
  counts(planIds: readonly number[]): Promise<PlanWorkRow[]>;
  hostTotals(planIds: readonly number[]): Promise<PlanHostTotals[]>;
  edges(planIds: readonly number[]): Promise<PlanEdge[]>;
  /** Actions of all other plans that ran between `start` and `end`, newest first, at most `limit`. */
  concurrent(planId: number, window: { start: Date; end: Date; limit: number }): Promise<ConcurrentAction[]>;
  /** The newest granted request for each target, for operations that start with `operation`. */
  people(targetKind: string, operation: string, targets: readonly string[]): Promise<PlanPerson[]>;
}

/**
 * SQL of the number of hosts that a plan frees, from the document of its hosts: `freedHosts` of the domain, without
 * machines. Null without a document.
 */
export const freedHostsOf = (doc: string): string => `(
  SELECT greatest(0, count(*) FILTER (WHERE host.before > 0 AND host.after = 0)
    - count(*) FILTER (WHERE host.before = 0 AND host.after > 0))
  FROM (SELECT (value->'before'->>'instances')::integer AS before, (value->'after'->>'instances')::integer AS after
    FROM jsonb_array_elements(${doc}->'hosts')) AS host
  WHERE ${doc} IS NOT NULL)`;

/** Reads plan work, working through `session`. */
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
               FROM actions WHERE action_plan_id = ANY ($1::bigint[]) AND deleted = 0) AS known) AS described
           GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
          [planIds],
        ),
      ),

    hostTotals: (planIds) =>
      session.read((manager) =>
        manager.query<PlanHostTotals[]>(
          `SELECT plan_id::float8 AS "actionPlanId",
             doc->'quantities' AS quantities, doc->'reserve' AS reserve,
             (SELECT coalesce(sum((value->>'memory')::float8), 0) FROM jsonb_each(doc->'moved')) AS memory,
             ${freedHostsOf('doc')}::float8 AS freed
           FROM plan_hosts WHERE plan_id = ANY ($1::bigint[])`,
          [planIds],
        ),
      ),

    edges: (planIds) =>
      session.read((manager) =>
        manager.query<PlanEdge[]>(
          `WITH sizes AS MATERIALIZED (
             SELECT plan_id, moved.key AS resource, (moved.value->>'memory')::float8 AS size
             FROM plan_hosts, jsonb_each(doc->'moved') AS moved WHERE plan_id = ANY ($1::bigint[])
             UNION ALL SELECT plan_id, volume.key, volume.value::float8
             FROM plan_hosts, jsonb_each(doc->'volumes') AS volume WHERE plan_id = ANY ($1::bigint[])),
           described AS (
             SELECT *, CASE WHEN is_undoing THEN input_parameters->>'action_type' ELSE action_type END AS effect,
               CASE WHEN is_undoing THEN input_parameters->'input_parameters' ELSE input_parameters END AS input
             FROM (SELECT *, action_type = 'revert' AND jsonb_typeof(input_parameters->'input_parameters') = 'object' AS is_undoing
               FROM actions WHERE action_plan_id = ANY ($1::bigint[]) AND deleted = 0) AS known)
           SELECT action_plan_id::float8 AS "actionPlanId", uuid, effect AS "actionType", input->>'migration_type' AS "migrationType",
             CASE WHEN effect IN (${textList(copyingActionTypes)}) THEN size END AS size, parents,
             CASE WHEN effect = 'sleep' AND jsonb_typeof(input->'duration') = 'number'
               THEN (input->>'duration')::float8 END AS duration,
             input->>CASE WHEN is_undoing THEN 'destination_node' ELSE 'source_node' END AS "sourceHost",
             input->>CASE WHEN is_undoing THEN 'source_node' ELSE 'destination_node' END AS "destinationHost"
           FROM described LEFT JOIN sizes ON sizes.plan_id = described.action_plan_id AND sizes.resource = described.input->>'resource_id'
           ORDER BY described.id`,
          [planIds],
        ),
      ),

    concurrent: (planId, { start, end, limit }) =>
      session.read((manager) =>
        manager.query<ConcurrentAction[]>(
          `SELECT plans.uuid AS "planUuid", ran.action_type AS "actionType", ran.input_parameters AS "inputParameters",
             CASE WHEN ran.rollback_state IS NULL THEN ran.ended_at
               WHEN ran.rollback_state <> 'ONGOING' THEN greatest(ran.ended_at, ran.updated_at) END AS "endedAt"
           FROM (
             SELECT * FROM actions WHERE ended_at >= $2 AND started_at <= $3
             UNION ALL
             SELECT actions.* FROM actions JOIN action_plans AS open ON open.id = actions.action_plan_id
             WHERE open.deleted = 0 AND open.state IN ('ONGOING', 'CANCELLING', 'SUSPENDED')
               AND actions.ended_at IS NULL AND actions.started_at <= $3
           ) AS ran JOIN action_plans AS plans ON plans.id = ran.action_plan_id
           WHERE ran.action_plan_id <> $1 AND ran.state NOT IN ('SKIPPED', 'PENDING') AND ran.deleted = 0
           ORDER BY ran.started_at DESC, ran.id DESC LIMIT $4`,
          [planId, start, end, limit],
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
