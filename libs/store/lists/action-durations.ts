import { copyingActionTypes } from '#libs/domain';
import { textList } from '../list-query.ts';
import type { Session } from '../session/session.ts';

/** A finished action, with the facts that predict the duration of others. */
export interface FinishedAction {
  actionType: string;
  /** Way of the migration, such as `live`. Null for other actions. */
  migrationType: string | null;
  seconds: number;
  /** MiB of the moved instance, or GiB of the moved volume. Null if unknown. */
  size: number | null;
}

/** An action of a plan that is not PENDING. */
export interface StartedAction {
  actionPlanId: number;
  uuid: string;
  /** Seconds since its start while it runs, by the database's time. Null when it has ended. */
  runningSeconds: number | null;
}

/** Durations of actions, for estimates. */
export interface ActionDurations {
  /** The newest successful actions of each type, and of each way of migration, at most `limit` of each. */
  finished(actionTypes: readonly string[], limit: number): Promise<FinishedAction[]>;
  started(planIds: readonly number[]): Promise<StartedAction[]>;
}

/**
 * Maximum number of the newest actions of a type to read, because a rare kind of migration would otherwise read all.
 */
const mostRead = 2000;

/** Reads them, working through `session`. */
export function createActionDurations(session: Session): ActionDurations {
  return {
    finished: (actionTypes, limit) =>
      session.read((manager) =>
        manager.query<FinishedAction[]>(
          `WITH newest AS MATERIALIZED (
             SELECT * FROM unnest($1::text[]) AS types (type), LATERAL (
               SELECT action_plan_id, action_type, input_parameters->>'migration_type' AS migration,
                 input_parameters->>'resource_id' AS resource, ended_at, extract(epoch FROM ended_at - started_at)::float8 AS seconds
               FROM actions WHERE action_type = types.type AND state = 'SUCCEEDED' AND deleted = 0 AND ended_at IS NOT NULL
               ORDER BY ended_at DESC LIMIT ${mostRead}) AS ended
             WHERE ended.seconds IS NOT NULL),
           kept AS MATERIALIZED (
             SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY action_type, migration ORDER BY ended_at DESC) AS place
               FROM newest) AS placed WHERE place <= $2),
           sizes AS MATERIALIZED (
             SELECT plan_id, moved.key AS resource, (moved.value->>'memory')::float8 AS size
             FROM plan_hosts, jsonb_each(doc->'moved') AS moved WHERE plan_id IN (SELECT action_plan_id FROM kept)
             UNION ALL SELECT plan_id, volume.key, volume.value::float8
             FROM plan_hosts, jsonb_each(doc->'volumes') AS volume WHERE plan_id IN (SELECT action_plan_id FROM kept))
           SELECT action_type AS "actionType", migration AS "migrationType", seconds, size
           FROM kept LEFT JOIN sizes ON sizes.plan_id = kept.action_plan_id AND sizes.resource = kept.resource
             AND action_type IN (${textList(copyingActionTypes)})
           ORDER BY ended_at, kept.resource`,
          [actionTypes, limit],
        ),
      ),

    started: (planIds) =>
      session.read((manager) =>
        manager.query<StartedAction[]>(
          `SELECT action_plan_id::float8 AS "actionPlanId", uuid, CASE WHEN state IN ('ONGOING', 'CANCELLING')
             THEN greatest(0, extract(epoch FROM clock_timestamp() - started_at))::float8 END AS "runningSeconds"
           FROM actions WHERE action_plan_id = ANY ($1::bigint[]) AND deleted = 0 AND state <> 'PENDING'`,
          [planIds],
        ),
      ),
  };
}
