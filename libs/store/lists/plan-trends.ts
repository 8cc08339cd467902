import type { JsonObject, PromisedQuantity, PromiseVerdict } from '#libs/domain';
import type { Session } from '../session/session.ts';
import { movesInstances } from './move-history.ts';
import { freedHostsOf } from './plan-work.ts';

/** The numbers of a week that starts on a Monday, UTC. */
export interface TrendWeek {
  /** `2026-11-16`. */
  week: string;
  /** Moved instances, and failed moves. */
  moves: number;
  failedMoves: number;
  /** Number of succeeded plans. */
  plans: number;
  /** Sum of the hosts that each of their plans freed, if its hosts were stored. See `freedHosts` of the domain. */
  hostsFreed: number;
}

/** A succeeded plan with its promised and measured gain. */
export interface TrendPlan {
  uuid: string;
  strategyName: string | null;
  /** End of its last action. */
  endedAt: Date;
  /** Number of hosts that it freed. Null if its hosts were not stored. */
  hostsFreed: number | null;
  /** Indicators by name, from the strategy. */
  indicators: Record<string, number>;
  /** See `ActionPlan.outcome`. */
  outcome: JsonObject | null;
}

/** A plan that ran or was cancelled, as a mark of a time line. */
export interface PlanEnd {
  uuid: string;
  state: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  strategyName: string | null;
  statusMessage: string | null;
  /** Start of its first action. Null without a started action. */
  startedAt: Date | null;
  /** End of its last action, or else last change of the plan. */
  endedAt: Date;
}

/** Promises of one quantity by plans of one strategy, with equal verdicts. */
export interface PromiseCount {
  strategyName: string | null;
  quantity: PromisedQuantity;
  verdict: PromiseVerdict;
  plans: number;
}

/** The results of plans over time, within their retention. */
export interface PlanTrends {
  /** Weeks with results, oldest first. */
  weeks(since: Date): Promise<TrendWeek[]>;
  /** Plans that ended since, newest first. */
  plans(since: Date, limit: number): Promise<TrendPlan[]>;
  /**
   * Plans that succeeded, failed or were cancelled since then, newest first. Without those that succeeded without an
   * action.
   */
  ends(since: Date, limit: number): Promise<PlanEnd[]>;
  /** Verdicts on the promises of plans that ended since, before `until` (default: now), by strategy and quantity. */
  promises(since: Date, until?: Date): Promise<PromiseCount[]>;
}

const week = (column: string) => `to_char(date_trunc('week', ${column} AT TIME ZONE 'UTC'), 'YYYY-MM-DD')`;

/**
 * Succeeded plans from $1 to before $2 (`infinity`: until now), with the end of their last action and the number of
 * hosts that they freed.
 */
export const endedPlans = `
  SELECT action_plans.id, action_plans.uuid, action_plans.outcome, action_plans.strategy_id, ended.at AS ended_at,
    ${freedHostsOf('plan_hosts.doc')}::integer AS freed, plan_hosts.plan_id IS NOT NULL AS has_hosts
  FROM action_plans
    JOIN LATERAL (SELECT max(ended_at) AS at FROM actions WHERE action_plan_id = action_plans.id AND deleted = 0) AS ended
      ON ended.at >= $1 AND ended.at < $2::timestamptz
    LEFT JOIN plan_hosts ON plan_hosts.plan_id = action_plans.id
  WHERE action_plans.deleted = 0 AND action_plans.state = 'SUCCEEDED' AND coalesce(action_plans.updated_at, action_plans.created_at) >= $1`;

/** Creates the trends. */
export function createPlanTrends(session: Session): PlanTrends {
  return {
    weeks: (since) =>
      session.read((manager) =>
        manager.query<TrendWeek[]>(
          `WITH moved AS (
             SELECT ${week('ended_at')} AS week, count(*) FILTER (WHERE state = 'SUCCEEDED')::integer AS moves,
               count(*) FILTER (WHERE state = 'FAILED')::integer AS failed
             FROM actions
             WHERE deleted = 0 AND state IN ('SUCCEEDED', 'FAILED') AND ended_at >= $1 AND ${movesInstances} GROUP BY 1),
           ended AS (
             SELECT ${week('ended_at')} AS week, count(*)::integer AS plans, sum(freed)::integer AS freed
             FROM (${endedPlans}) AS plans GROUP BY 1)
           SELECT week, coalesce(moves, 0) AS moves, coalesce(failed, 0) AS "failedMoves", coalesce(plans, 0) AS plans,
             coalesce(freed, 0) AS "hostsFreed"
           FROM moved FULL JOIN ended USING (week) ORDER BY week`,
          [since, 'infinity'],
        ),
      ),

    plans: (since, limit) =>
      session.read((manager) =>
        manager.query<TrendPlan[]>(
          `SELECT plans.uuid, strategies.name AS "strategyName", plans.ended_at AS "endedAt", plans.outcome,
             CASE WHEN has_hosts THEN freed END AS "hostsFreed",
             coalesce((SELECT jsonb_object_agg(name, value) FROM efficacy_indicators
               WHERE action_plan_id = plans.id AND deleted = 0), '{}') AS indicators
           FROM (${endedPlans}) AS plans LEFT JOIN strategies ON strategies.id = plans.strategy_id
           ORDER BY plans.ended_at DESC, plans.id DESC LIMIT $3`,
          [since, 'infinity', limit],
        ),
      ),

    ends: (since, limit) =>
      session.read((manager) =>
        manager.query<PlanEnd[]>(
          `SELECT plan.uuid, plan.state, strategies.name AS "strategyName", plan.status_message AS "statusMessage",
             ran.started AS "startedAt", coalesce(ran.ended, plan.updated_at, plan.created_at) AS "endedAt"
           FROM action_plans AS plan LEFT JOIN strategies ON strategies.id = plan.strategy_id
             JOIN LATERAL (SELECT min(started_at) AS started, max(ended_at) AS ended FROM actions
               WHERE action_plan_id = plan.id AND deleted = 0) AS ran
               ON coalesce(ran.ended, plan.updated_at, plan.created_at) >= $1
           WHERE plan.deleted = 0 AND plan.state IN ('SUCCEEDED', 'FAILED', 'CANCELLED')
             AND (plan.state <> 'SUCCEEDED' OR ran.ended IS NOT NULL)
             AND coalesce(plan.updated_at, plan.created_at) >= $1
           ORDER BY "endedAt" DESC, plan.id DESC LIMIT $2`,
          [since, limit],
        ),
      ),

    promises: (since, until) =>
      session.read((manager) =>
        manager.query<PromiseCount[]>(
          `SELECT strategies.name AS "strategyName", promise->>'quantity' AS quantity, promise->>'verdict' AS verdict,
             count(*)::integer AS plans
           FROM (${endedPlans}) AS plans LEFT JOIN strategies ON strategies.id = plans.strategy_id,
             jsonb_array_elements(CASE WHEN jsonb_typeof(plans.outcome->'promises') = 'array'
               THEN plans.outcome->'promises' ELSE '[]' END) AS promise
           GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
          [since, until ?? 'infinity'],
        ),
      ),
  };
}
