import type { Session } from '../session/session.ts';

/** Retention of ended plans. */
interface PlanRetention {
  /** Age from which ended plans and deleted plans are removed. */
  keepSeconds: number;
  /**
   * Number of ended plans that an audit keeps, newest first. Started and unstarted plans count apart, so that
   * recommendations do not displace executed plans. 0: no limit.
   */
  keepPerAudit: number;
  /** Maximum number of actions that one call removes, by whole plans. Default 100,000. The next call continues. */
  maxActions?: number;
  /** Stops the work between two batches. */
  signal?: AbortSignal;
}

/** Rows that were removed. */
interface PrunedPlans {
  plans: number;
  actions: number;
}

/** Totals of removed plans, kept for three years: per audit, strategy, day and end state. */
interface PlanTotal {
  auditUuid: string;
  /** Name of the strategy. */
  strategy: string;
  /** UTC day of the creation of the plans, such as `2026-11-22`. */
  day: string;
  state: string;
  plans: number;
  actions: number;
  succeededActions: number;
  failedActions: number;
}

/** Removal of plans that ended long ago. */
export interface Retention {
  /**
   * Removes ended plans with their actions, journal, runs and indicators, oldest first, a batch a transaction, and adds
   * them to the totals. Plans with open work stay at any age, and every plan stays for ten minutes after its end (for
   * `keepSeconds` when that is less).
   */
  prunePlans(retention: PlanRetention): Promise<PrunedPlans>;
  /** Totals of removed plans, newest day first. Optionally of one audit. */
  planTotals(query: { auditUuid?: string; limit: number }): Promise<PlanTotal[]>;
}

/** Minimum retention of ended plans, so that clients can read the end for which they wait. */
const graceSeconds = 600;
/**
 * Minimum retention of plans that never started. A continuous audit replaces them frequently, and no client waits for
 * them.
 */
const unstartedGraceSeconds = 60;
/** Number of actions that one transaction removes, by whole plans. */
const batchActions = 1_000;
/** Maximum for one call, so that the change log, which has an entry for each row, stays within its limits. */
const defaultMaxActions = 100_000;
const maxCandidates = 20_000;
const totalsKeepYears = 3;

/** Ended plans without a holder and without an open run, cloud request, rollback, measurement, message or recovery. */
const isSettled = `(plan.deleted <> 0 OR plan.state IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED'))
  AND plan.state NOT IN ('PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED')
  AND plan.run_instance IS NULL AND plan.rollback_state IS DISTINCT FROM 'ONGOING'
  AND NOT EXISTS (SELECT 1 FROM actions WHERE actions.action_plan_id = plan.id
    AND (actions.state IN ('ONGOING', 'CANCELLING') OR actions.rollback_state = 'ONGOING'))
  AND NOT EXISTS (SELECT 1 FROM action_plans AS undoing WHERE undoing.rolls_back = plan.uuid
    AND undoing.deleted = 0 AND undoing.state NOT IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED'))
  AND NOT EXISTS (SELECT 1 FROM plan_measurements AS measured WHERE measured.plan_id = plan.id
    AND measured.state = 'DUE' AND measured.deadline > now())
  AND NOT EXISTS (SELECT 1 FROM outbox WHERE published_at IS NULL AND body ->> 'plan_uuid' = plan.uuid::text)
  AND NOT EXISTS (SELECT 1 FROM recovery_jobs AS job WHERE job.ended_at IS NULL AND job.subject ->> 'uuid' = plan.uuid::text)`;

interface Candidate {
  id: number;
  actions: number;
}

/** Removes plans that ended long ago. `plan_totals` keeps their sums. */
export function createRetention(session: Session): Retention {
  return {
    prunePlans: (retention) => prunePlans(session, retention),
    planTotals: ({ auditUuid, limit }) =>
      session.read((manager) =>
        manager.query<PlanTotal[]>(
          `SELECT audit_uuid AS "auditUuid", strategy, day::text AS day, state, plans, actions,
             succeeded_actions AS "succeededActions", failed_actions AS "failedActions"
           FROM plan_totals WHERE $1::uuid IS NULL OR audit_uuid = $1
           ORDER BY plan_totals.day DESC, audit_uuid, strategy, state LIMIT $2`,
          [auditUuid ?? null, limit],
        ),
      ),
  };
}

async function prunePlans(session: Session, retention: PlanRetention): Promise<PrunedPlans> {
  const { keepSeconds, keepPerAudit, maxActions = defaultMaxActions, signal } = retention;
  const candidates = await session.read((manager) =>
    manager.query<Candidate[]>(
      `SELECT plan.id, (SELECT count(*) FROM actions WHERE actions.action_plan_id = plan.id) AS actions
       FROM (
         SELECT *, coalesce(deleted_at, updated_at, created_at) AS ended,
           row_number() OVER (PARTITION BY audit_id, deleted = 0, launch_seq > 0 ORDER BY id DESC) AS place
         FROM action_plans WHERE deleted <> 0 OR state IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED')
       ) AS plan
       WHERE ended < now() - (CASE WHEN launch_seq > 0 THEN $3::integer ELSE $5::integer END) * interval '1 second' AND ${isSettled}
         AND (ended < now() - $1::double precision * interval '1 second'
           OR $2::integer > 0 AND deleted = 0 AND place > $2::integer)
       ORDER BY plan.id LIMIT $4`,
      [
        keepSeconds,
        keepPerAudit,
        Math.min(graceSeconds, keepSeconds),
        maxCandidates,
        Math.min(unstartedGraceSeconds, keepSeconds),
      ],
    ),
  );
  const removed: PrunedPlans = { plans: 0, actions: 0 };
  for (const batch of batchesOf(candidates, maxActions)) {
    signal?.throwIfAborted();
    const gone = await removePlans(session, batch);
    removed.plans += gone.plans;
    removed.actions += gone.actions;
  }
  await session.writeOnce(async (manager) => {
    await manager.query(`DELETE FROM plan_totals WHERE day < now() - interval '${totalsKeepYears} years'`);
  });
  return removed;
}

function batchesOf(candidates: readonly Candidate[], maxActions: number): number[][] {
  const batches: number[][] = [];
  let inBatch = Number.POSITIVE_INFINITY;
  let total = 0;
  for (const { id, actions } of candidates) {
    if (total > 0 && total + actions > maxActions) return batches;
    // A plan without actions is a row as well.
    const weight = actions + 1;
    if (inBatch + weight > batchActions) {
      batches.push([]);
      inBatch = 0;
    }
    batches.at(-1)?.push(id);
    inBatch += weight;
    total += actions;
  }
  return batches;
}

function removePlans(session: Session, ids: readonly number[]): Promise<PrunedPlans> {
  return session.write(async (manager) => {
    // Rows with a concurrent change are left for the next run.
    const rows = await manager.query<{ id: number }[]>(
      `SELECT plan.id FROM action_plans AS plan WHERE plan.id = ANY($1::bigint[]) AND ${isSettled}
       ORDER BY plan.id FOR UPDATE SKIP LOCKED`,
      [ids],
    );
    const settled = [rows.map(({ id }) => id)];
    await manager.query(addTotals, settled);
    await manager.query(
      `DELETE FROM action_attempts WHERE action_id IN (SELECT id FROM actions WHERE action_plan_id = ANY($1::bigint[]))`,
      settled,
    );
    const [, actions] = await manager.query<[unknown[], number]>(
      'DELETE FROM actions WHERE action_plan_id = ANY($1::bigint[])',
      settled,
    );
    await manager.query('DELETE FROM plan_runs WHERE plan_id = ANY($1::bigint[])', settled);
    await manager.query('DELETE FROM plan_hosts WHERE plan_id = ANY($1::bigint[])', settled);
    await manager.query('DELETE FROM plan_objectives WHERE plan_id = ANY($1::bigint[])', settled);
    await manager.query('DELETE FROM plan_host_versions WHERE plan_id = ANY($1::bigint[])', settled);
    await manager.query('DELETE FROM efficacy_indicators WHERE action_plan_id = ANY($1::bigint[])', settled);
    const [, plans] = await manager.query<[unknown[], number]>(
      'DELETE FROM action_plans WHERE id = ANY($1::bigint[])',
      settled,
    );
    return { plans, actions };
  });
}

const addTotals = `
  INSERT INTO plan_totals AS total
    (audit_uuid, strategy, day, state, plans, actions, succeeded_actions, failed_actions)
  SELECT audit.uuid, strategy.name, (plan.created_at AT TIME ZONE 'UTC')::date, plan.state, count(*),
    coalesce(sum(mine.actions), 0), coalesce(sum(mine.succeeded), 0), coalesce(sum(mine.failed), 0)
  FROM action_plans AS plan
  JOIN audits AS audit ON audit.id = plan.audit_id JOIN strategies AS strategy ON strategy.id = plan.strategy_id,
  LATERAL (
    SELECT count(*) AS actions, count(*) FILTER (WHERE state = 'SUCCEEDED') AS succeeded,
      count(*) FILTER (WHERE state = 'FAILED') AS failed
    FROM actions WHERE actions.action_plan_id = plan.id
  ) AS mine
  WHERE plan.id = ANY($1::bigint[]) GROUP BY 1, 2, 3, 4
  ON CONFLICT (audit_uuid, strategy, day, state) DO UPDATE SET
    plans = total.plans + excluded.plans, actions = total.actions + excluded.actions,
    succeeded_actions = total.succeeded_actions + excluded.succeeded_actions,
    failed_actions = total.failed_actions + excluded.failed_actions`;
