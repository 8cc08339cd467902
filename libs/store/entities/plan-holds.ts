import { type ActionPlanState, movingActionTypes } from '#libs/domain';
import { textList } from '../list-query.ts';
import type { Session } from '../session/session.ts';

/** Another plan that holds hosts of a plan. */
export interface PlanHolder {
  uuid: string;
  state: ActionPlanState;
  /** Common hosts of both plans, by name. */
  hosts: string[];
}

/** A host that changed after a plan was made. */
export interface ChangedHost {
  hostname: string;
  /** Version that the plan is based on. */
  planned: number;
  /** Null when the host is no longer known. */
  current: number | null;
  changedAt: Date | null;
}

/** The hosts that plans use or free, with the versions that each plan is based on. */
export interface PlanHolds {
  /** Adds hosts to the plan. Existing hosts keep their version. Null: unknown version. */
  record(actionPlanId: number, hosts: readonly { hostname: string; version: number | null }[]): Promise<void>;
  /** Of the plan and all plans in one of these states, those without recorded hosts. */
  withoutHosts(actionPlanId: number, states: readonly ActionPlanState[]): Promise<{ id: number; uuid: string }[]>;
  /** Number of hosts of the plan, and number of hosts with a version. */
  count(actionPlanId: number): Promise<{ hosts: number; known: number }>;
  /** Other plans in one of these states that name a host of the plan, oldest first. */
  holders(actionPlanId: number, states: readonly ActionPlanState[]): Promise<PlanHolder[]>;
  /** Hosts of the plan whose version has changed, by name. */
  changed(actionPlanId: number): Promise<ChangedHost[]>;
  /** Binds the plan to the current versions of its hosts. */
  accept(actionPlanId: number): Promise<void>;
  /** Migrations by other plans from or to these hosts since the creation of the plan. */
  migrationsSince(actionPlanId: number, hostnames: readonly string[]): Promise<number>;
}

/** The newest parameters of a move: those of a revert are inside it. */
const moveParameters = `CASE WHEN actions.action_type = 'revert'
  THEN actions.input_parameters -> 'input_parameters' ELSE actions.input_parameters END`;

const migrationsSql = `
  SELECT count(*)::int AS count FROM actions
  JOIN action_plans AS own ON own.id = $1
  CROSS JOIN LATERAL (SELECT ${moveParameters} AS move) AS input
  WHERE actions.state = 'SUCCEEDED' AND actions.ended_at > own.created_at AND actions.action_plan_id <> own.id
    AND (actions.action_type IN (${textList(movingActionTypes)})
      OR actions.input_parameters ->> 'action_type' IN (${textList(movingActionTypes)}))
    AND (input.move ->> 'source_node' = ANY($2::text[]) OR input.move ->> 'destination_node' = ANY($2::text[]))`;

/** Holds of plans in the database. */
export function createPlanHolds(session: Session): PlanHolds {
  return {
    record: (actionPlanId, hosts) =>
      session.writeOnce(async (manager) => {
        await manager.query(
          `INSERT INTO plan_host_versions (plan_id, hostname, version)
           SELECT $1, * FROM unnest($2::text[], $3::bigint[]) ON CONFLICT DO NOTHING`,
          [actionPlanId, hosts.map(({ hostname }) => hostname), hosts.map(({ version }) => version)],
        );
      }),

    withoutHosts: (actionPlanId, states) =>
      session.read((manager) =>
        manager.query<{ id: number; uuid: string }[]>(
          `SELECT id, uuid FROM action_plans AS plan
           WHERE deleted = 0 AND (id = $1 OR state = ANY($2::text[]))
             AND NOT EXISTS (SELECT 1 FROM plan_host_versions WHERE plan_id = plan.id)`,
          [actionPlanId, states],
        ),
      ),

    count: (actionPlanId) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ hosts: number; known: number }[]>(
          'SELECT count(*)::int AS hosts, count(version)::int AS known FROM plan_host_versions WHERE plan_id = $1',
          [actionPlanId],
        );
        return rows[0] ?? { hosts: 0, known: 0 };
      }),

    holders: (actionPlanId, states) =>
      session.read((manager) =>
        manager.query<PlanHolder[]>(
          `SELECT holder.uuid, holder.state, array_agg(own.hostname ORDER BY own.hostname) AS hosts
           FROM plan_host_versions AS own
           JOIN plan_host_versions AS held ON held.hostname = own.hostname AND held.plan_id <> own.plan_id
           JOIN action_plans AS holder ON holder.id = held.plan_id
           WHERE own.plan_id = $1 AND holder.deleted = 0 AND holder.state = ANY($2::text[])
           GROUP BY holder.id ORDER BY holder.id`,
          [actionPlanId, states],
        ),
      ),

    changed: (actionPlanId) =>
      session.read((manager) =>
        manager.query<ChangedHost[]>(
          `SELECT own.hostname, own.version AS planned, known.version AS current, known.changed_at AS "changedAt"
           FROM plan_host_versions AS own LEFT JOIN host_versions AS known USING (hostname)
           WHERE own.plan_id = $1 AND own.version IS NOT NULL AND known.version IS DISTINCT FROM own.version
           ORDER BY own.hostname`,
          [actionPlanId],
        ),
      ),

    accept: (actionPlanId) =>
      session.writeOnce(async (manager) => {
        await manager.query(
          `UPDATE plan_host_versions AS own SET version = known.version FROM host_versions AS known
           WHERE own.plan_id = $1 AND known.hostname = own.hostname AND known.version IS DISTINCT FROM own.version`,
          [actionPlanId],
        );
      }),

    migrationsSince: (actionPlanId, hostnames) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ count: number }[]>(migrationsSql, [actionPlanId, hostnames]);
        return rows[0]?.count ?? 0;
      }),
  };
}
