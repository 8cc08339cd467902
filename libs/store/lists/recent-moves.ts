import type { ActionPlanState } from '#libs/domain';
import type { Session } from '../session/session.ts';
import { movesInstances } from './move-history.ts';

/** A migration or evacuation of an instance, or the revert of one, by a plan of any audit. */
export interface RecentMove {
  /** Uuid. */
  instance: string;
  /** Hosts by name. Null if the action does not name them. */
  from: string | null;
  to: string | null;
  /** Uuid of the audit that created the plan. */
  audit: string;
  /** End of a successful move. Null: its plan has started, and the move is pending or in progress. */
  endedAt: Date | null;
}

/** The moves that budgets count: recent successful moves, and pending moves of started plans. */
export interface RecentMoves {
  /**
   * Moves of the last `seconds` by database time, oldest first, pending moves last.
   * @param started states in which a plan was started and has not ended
   */
  list(seconds: number, started: readonly ActionPlanState[]): Promise<RecentMove[]>;
}

const nameOf = (field: string) =>
  `coalesce(actions.input_parameters ->> '${field}', actions.input_parameters -> 'input_parameters' ->> '${field}')`;

/** Reads recent moves from the actions of plans, within their retention. */
export function createRecentMoves(session: Session): RecentMoves {
  return {
    list: (seconds, started) =>
      session.read((manager) =>
        manager.query<RecentMove[]>(
          `SELECT ${nameOf('resource_id')} AS instance, ${nameOf('source_node')} AS "from",
             ${nameOf('destination_node')} AS "to", audits.uuid AS audit,
             CASE WHEN actions.state = 'SUCCEEDED' THEN actions.ended_at END AS "endedAt"
           FROM actions JOIN action_plans ON action_plans.id = actions.action_plan_id
             JOIN audits ON audits.id = action_plans.audit_id
           WHERE actions.deleted = 0 AND ${movesInstances} AND ${nameOf('resource_id')} IS NOT NULL
             AND (actions.state = 'SUCCEEDED' AND actions.ended_at >= now() - $1::double precision * interval '1 second'
               OR actions.state IN ('PENDING', 'ONGOING') AND action_plans.deleted = 0
                 AND action_plans.state = ANY($2::text[]))
           ORDER BY "endedAt" NULLS LAST, actions.id`,
          [seconds, started],
        ),
      ),
  };
}
