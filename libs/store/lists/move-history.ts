import { type Action, movingActionTypes } from '#libs/domain';
import { textList } from '../list-query.ts';
import type { Session } from '../session/session.ts';

/** Filter of moves: of an instance, and from or to a host. */
export interface MovesRequest {
  instance?: string | undefined;
  host?: string | undefined;
  /** Number of rows to skip, and maximum number of rows. */
  offset: number;
  limit: number;
}

/** A started action that moves an instance, with its plan and audit. */
export interface MoveRow
  extends Pick<
    Action,
    'uuid' | 'actionType' | 'inputParameters' | 'state' | 'startedAt' | 'endedAt' | 'statusMessage'
  > {
  /** Reason of the strategy. Null without one. */
  summary: string | null;
  planUuid: string;
  /** Plan that its plan undoes. */
  rollsBack: string | null;
  strategyName: string | null;
  auditUuid: string;
  auditName: string;
}

/** Past moves, newest first. */
export interface MoveHistory {
  list(request: MovesRequest): Promise<{ moves: MoveRow[]; total: number }>;
}

/** The parameters of an action. For a revert, those of the undone action. */
const about = (field: string, value: string) => `(
  actions.input_parameters @> jsonb_build_object('${field}', ${value})
  OR actions.input_parameters @> jsonb_build_object('input_parameters', jsonb_build_object('${field}', ${value})))`;

const instanceTypes = textList(movingActionTypes);

/** Condition on the table `actions`: it moves an instance. */
export const movesInstances = `(actions.action_type IN (${instanceTypes})
  OR actions.action_type = 'revert' AND actions.input_parameters->>'action_type' IN (${instanceTypes}))`;

/** Creates the history of moves, within the retention of plans. */
export function createMoveHistory(session: Session): MoveHistory {
  return {
    async list({ instance, host, offset, limit }) {
      const conditions = [
        ...(instance === undefined ? [] : [about('resource_id', '$3::text')]),
        ...(host === undefined
          ? []
          : [`(${about('source_node', '$4::text')} OR ${about('destination_node', '$4::text')})`]),
      ];
      const rows = await session.read((manager) =>
        manager.query<(MoveRow & { total: string })[]>(
          `SELECT actions.uuid, actions.action_type AS "actionType", actions.input_parameters AS "inputParameters",
             actions.state, actions.started_at AS "startedAt", actions.ended_at AS "endedAt",
             actions.status_message AS "statusMessage", actions.reason->>'summary' AS summary,
             action_plans.uuid AS "planUuid", action_plans.rolls_back AS "rollsBack", strategies.name AS "strategyName",
             audits.uuid AS "auditUuid", audits.name AS "auditName", count(*) OVER () AS total
           FROM actions JOIN action_plans ON action_plans.id = actions.action_plan_id
             JOIN audits ON audits.id = action_plans.audit_id
             LEFT JOIN strategies ON strategies.id = action_plans.strategy_id
           WHERE actions.deleted = 0 AND actions.started_at IS NOT NULL AND ${movesInstances}
             AND ($3::text IS NULL OR true) AND ($4::text IS NULL OR true)
             ${conditions.map((condition) => `AND ${condition}`).join(' ')}
           ORDER BY actions.started_at DESC, actions.id DESC LIMIT $1 OFFSET $2`,
          [limit, offset, instance ?? null, host ?? null],
        ),
      );
      return { moves: rows.map(({ total: _total, ...row }) => row), total: Number(rows[0]?.total ?? 0) };
    },
  };
}
