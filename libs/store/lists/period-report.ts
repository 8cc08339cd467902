import type { ActionPlanState, ApprovalState, RefusalReason } from '#libs/domain';
import type { Session } from '../session/session.ts';
import { movesInstances } from './move-history.ts';
import { endedPlans } from './plan-trends.ts';

/** A period. The end is exclusive. */
export interface Period {
  from: Date;
  to: Date;
}

/** Plans created in a period, by current state. */
export interface PeriodPlans {
  state: ActionPlanState;
  plans: number;
  /** PENDING and ONGOING plans that are paused. */
  paused: number;
  /** SUCCEEDED plans with actions that were not carried out. */
  partial: number;
  /** SUCCEEDED plans without a start, which had no actions. */
  withoutActions: number;
}

/** Plans created in a period that never started, with the same reason. */
export interface UnstartedPlans {
  state: ActionPlanState;
  /** Null: no rule required an approval. */
  approval: ApprovalState | null;
  /** The status message with `…` for uuids, or the reason of the approval. Null without both. */
  reason: string | null;
  plans: number;
  /** Uuid of the newest plan. */
  newest: string;
}

/** Results of a period, as far as its plans are stored. */
export interface PeriodReport {
  plans: PeriodPlans[];
  /** Plans created in it that retention has removed, by last state. Whole UTC days. */
  removed: { state: string; plans: number }[];
  /** Moves of instances that ended in it. */
  moves: number;
  failedMoves: number;
  /** Hosts emptied by plans that ended in it, if their hosts were stored. */
  hostsFreed: number;
  /** Actions that ended in it because a service of the cloud refused them. */
  refusals: { refusal: RefusalReason; actions: number }[];
  /** The most frequent reasons first. */
  unstarted: UnstartedPlans[];
}

/** Reports of periods. */
export interface PeriodReports {
  /** @param mostReasons maximum number of reasons of plans that never started */
  read(period: Period, mostReasons: number): Promise<PeriodReport>;
}

const uuidPattern = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Reads reports, working through `session`. */
export function createPeriodReports(session: Session): PeriodReports {
  const query = <Row>(sql: string, values: readonly unknown[]) =>
    session.read((manager) => manager.query<Row[]>(sql, [...values]));
  return {
    async read({ from, to }, mostReasons) {
      const period = [from, to];
      const [plans, removed, moved, freed, refusals, unstarted] = await Promise.all([
        query<PeriodPlans>(plansByState, period),
        query<PeriodReport['removed'][number]>(removedByState, period),
        query<Pick<PeriodReport, 'moves' | 'failedMoves'>>(movesOfPeriod, period),
        query<Pick<PeriodReport, 'hostsFreed'>>(
          `SELECT coalesce(sum(freed), 0)::integer AS "hostsFreed" FROM (${endedPlans}) AS plans`,
          period,
        ),
        query<PeriodReport['refusals'][number]>(refusalsOfPeriod, period),
        query<UnstartedPlans>(unstartedByReason, [...period, mostReasons]),
      ]);
      return {
        ...{ moves: 0, failedMoves: 0, hostsFreed: 0, ...moved[0], ...freed[0] },
        plans,
        removed,
        refusals,
        unstarted,
      };
    },
  };
}

const made = 'created_at >= $1 AND created_at < $2';

const plansByState = `
  SELECT state, count(*)::integer AS plans,
    count(*) FILTER (WHERE state IN ('PENDING', 'ONGOING') AND paused)::integer AS paused,
    count(*) FILTER (WHERE state = 'SUCCEEDED' AND launch_seq > 0 AND EXISTS (
      SELECT 1 FROM actions WHERE action_plan_id = action_plans.id AND deleted = 0 AND actions.state <> 'SUCCEEDED'
    ))::integer AS partial,
    count(*) FILTER (WHERE state = 'SUCCEEDED' AND NOT EXISTS (
      SELECT 1 FROM actions WHERE action_plan_id = action_plans.id AND deleted = 0
    ))::integer AS "withoutActions"
  FROM action_plans WHERE ${made} GROUP BY state ORDER BY plans DESC, state`;

const removedByState = `
  SELECT state, sum(plans)::integer AS plans FROM plan_totals
  WHERE day >= ($1::timestamptz AT TIME ZONE 'UTC')::date AND day < ($2::timestamptz AT TIME ZONE 'UTC')::date
  GROUP BY state ORDER BY plans DESC, state`;

const movesOfPeriod = `
  SELECT count(*) FILTER (WHERE state = 'SUCCEEDED')::integer AS moves,
    count(*) FILTER (WHERE state = 'FAILED')::integer AS "failedMoves"
  FROM actions WHERE deleted = 0 AND ended_at >= $1 AND ended_at < $2 AND ${movesInstances}`;

const refusalsOfPeriod = `
  SELECT refusal, count(*)::integer AS actions FROM actions
  WHERE deleted = 0 AND refusal IS NOT NULL AND ended_at >= $1 AND ended_at < $2
  GROUP BY refusal ORDER BY actions DESC, refusal`;

const unstartedByReason = `
  SELECT state, approval, reason, count(*)::integer AS plans, (array_agg(uuid ORDER BY id DESC))[1] AS newest
  FROM (
    SELECT id, uuid, state, approval, CASE WHEN state = 'RECOMMENDED' AND approval = 'wanted' THEN approval_reason
      ELSE regexp_replace(status_message, '${uuidPattern}', '…', 'g') END AS reason
    FROM action_plans
    WHERE ${made} AND deleted = 0 AND launch_seq = 0 AND state IN ('RECOMMENDED', 'CANCELLED', 'SUPERSEDED')
      AND NOT EXISTS (
        SELECT 1 FROM actions WHERE action_plan_id = action_plans.id AND state IN ('SUCCEEDED', 'FAILED')
      )
  ) AS waiting
  GROUP BY state, approval, reason ORDER BY plans DESC, state, reason LIMIT $3`;
