import {
  type ActionAttemptJournal,
  type ActionEndReason,
  type ActionEvent,
  actionStateTable,
  type JsonObject,
  LeaseLostError,
  moveOf,
  type RefusalReason,
} from '#libs/domain';
import { runPrepared } from '../session/run-statement.ts';
import type { Session } from '../session/session.ts';
import { raiseSql } from './host-versions.ts';

/** The plan, locked against a take-over until the statement has committed. */
const heldPlan = 'plan AS MATERIALIZED (SELECT id, state, paused, fence FROM action_plans WHERE uuid = $1 FOR SHARE)';

// `+ 0` prevents the planner from reading all actions of the plan by the index on action_plan_id.
const startSql = `
  WITH ${heldPlan},
  moved AS (
    UPDATE actions SET state = $6, started_at = given.started_at
    FROM plan, unnest($3::uuid[], $4::timestamptz[], $5::jsonb[]) AS given (uuid, started_at, intent)
    WHERE actions.uuid = given.uuid AND actions.action_plan_id + 0 = plan.id AND actions.deleted = 0
      AND actions.state = ANY($7::text[]) AND plan.fence = $2 AND plan.state = 'ONGOING' AND NOT plan.paused
    RETURNING actions.id, actions.uuid, given.intent
  ),
  opened AS (
    INSERT INTO action_attempts (action_id, attempt_no, fence, intent)
    SELECT moved.id, coalesce(max(former.attempt_no), 0) + 1, $2, moved.intent
    FROM moved LEFT JOIN action_attempts AS former ON former.action_id = moved.id
    GROUP BY moved.id, moved.intent
    RETURNING *
  )
  SELECT plan.fence AS "planFence", moved.uuid, opened.id, opened.action_id AS "actionId",
    opened.attempt_no AS "attemptNo", opened.fence, opened.phase, opened.intent, opened.result,
    opened.external_ref AS "externalRef", opened.started_at AS "startedAt", opened.ended_at AS "endedAt"
  FROM plan LEFT JOIN (opened JOIN moved ON moved.id = opened.action_id) ON true`;

const endSql = `
  WITH ${heldPlan},
  given AS (
    SELECT * FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::bigint[],
      $10::text[], $11::text[], $12::text[])
      AS given (uuid, state, former, status_message, end_reason, ended_at, attempt_id, phase, hosts, refusal)
  ),
  moved AS (
    UPDATE actions SET state = given.state, status_message = coalesce(given.status_message, actions.status_message),
      end_reason = given.end_reason, refusal = given.refusal, ended_at = given.ended_at
    FROM plan, given
    WHERE actions.uuid = given.uuid AND actions.action_plan_id + 0 = plan.id AND actions.deleted = 0
      AND actions.state = ANY(string_to_array(given.former, ',')) AND plan.fence = $2
    RETURNING actions.uuid, given.attempt_id, given.phase, given.hosts
  ),
  raised AS (
    ${raiseSql('SELECT jsonb_array_elements_text(moved.hosts::jsonb) FROM moved')}
  ),
  closed AS (
    UPDATE action_attempts SET phase = moved.phase, ended_at = now()
    FROM moved WHERE action_attempts.id = moved.attempt_id
  )
  SELECT plan.fence AS "planFence", moved.uuid FROM plan LEFT JOIN moved ON true`;

/** Each batch is one statement, so it is atomic. It is prepared, because planning takes as long as execution. */
export function createActionBatches(session: Session): ActionBatches {
  return {
    start: (planUuid, fence, entries) =>
      session.writeOnce(async (manager) => {
        const move = moveOf(actionStateTable, 'begin');
        type Row = ActionAttemptJournal & { planFence: number; uuid: string | null };
        const rows = await runPrepared<Row>(manager, { name: 'begin_actions', text: startSql }, [
          planUuid,
          fence,
          entries.map((entry) => entry.uuid),
          entries.map((entry) => entry.startedAt),
          entries.map((entry) => JSON.stringify(entry.intent)),
          move.to,
          move.from,
        ]);
        requireFence(rows, planUuid, fence);
        return new Map(rows.flatMap(({ planFence, uuid, ...attempt }) => (uuid === null ? [] : [[uuid, attempt]])));
      }),

    end: (planUuid, fence, entries) =>
      session.writeOnce(async (manager) => {
        const moves = entries.map((entry) => moveOf(actionStateTable, entry.event));
        type Row = { planFence: number; uuid: string | null };
        const rows = await runPrepared<Row>(manager, { name: 'end_actions', text: endSql }, [
          planUuid,
          fence,
          entries.map((entry) => entry.uuid),
          moves.map((move) => move.to),
          moves.map((move) => move.from.join(',')),
          entries.map((entry) => entry.statusMessage),
          entries.map((entry) => entry.endReason),
          entries.map((entry) => entry.endedAt),
          entries.map((entry) => entry.attempt?.id ?? null),
          entries.map((entry) => entry.attempt?.phase ?? null),
          entries.map((entry) => JSON.stringify(entry.changedHosts ?? [])),
          entries.map((entry) => entry.refusal ?? null),
        ]);
        requireFence(rows, planUuid, fence);
        return new Set(rows.flatMap(({ uuid }) => (uuid === null ? [] : [uuid])));
      }),
  };
}

function requireFence(rows: readonly { planFence: number }[], planUuid: string, fence: number): void {
  if (rows[0]?.planFence !== fence) throw new LeaseLostError(`ActionPlan ${planUuid}`);
}

/** An action to start, and the first content of its attempt. */
export interface ActionStart {
  uuid: string;
  startedAt: Date;
  intent: JsonObject;
}

/** An action to end. */
export interface ActionEnd {
  uuid: string;
  event: ActionEvent;
  statusMessage: string | null;
  endReason: ActionEndReason | null;
  /** Kind of the reason why the cloud refused it. Default null. */
  refusal?: RefusalReason | null;
  endedAt: Date;
  /** Attempt that ends with it, in `phase`. */
  attempt?: { id: number; phase: string };
  /** Hosts that it changed. Their versions are increased with the outcome. */
  changedHosts?: readonly string[];
}

/** State changes of one plan's actions in one statement, all guarded by the plan's fencing number. */
export interface ActionBatches {
  /**
   * PENDING → ONGOING with a new attempt for each action, if the plan is ONGOING and not paused. Returns the attempts
   * by uuid of their action. Missing actions could not start.
   * @throws LeaseLostError
   */
  start(planUuid: string, fence: number, entries: readonly ActionStart[]): Promise<Map<string, ActionAttemptJournal>>;
  /** Returns the uuids of the changed actions, whose state allowed it. @throws LeaseLostError */
  end(planUuid: string, fence: number, entries: readonly ActionEnd[]): Promise<Set<string>>;
}
