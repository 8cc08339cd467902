import type { AlertScope } from '#libs/domain';
import type { Session } from '../session/session.ts';

/** A run that a group of alerts requested. */
export interface AlertRun {
  uuid: string;
  /** Null: the whole scope of the audit. */
  scope: AlertScope;
  /** Null while it is queued. */
  startedAt: Date | null;
  /** Seconds since the start, or since the request while it is queued. */
  ageSeconds: number;
}

/**
 * Whether an EVENT audit may start a run: `free`; `busy` while one is requested or runs, or a plan of the audit is
 * started; `closed` in a state that no trigger ends.
 */
export type AlertPlace = 'free' | 'busy' | 'closed';

/** Runs that alerts requested. At most one run per audit is queued. */
export interface AlertRuns {
  /** The last run of a group. */
  lastOfGroup(auditId: number, groupHash: string): Promise<AlertRun | null>;
  /** Uuid of the last started run, or null. */
  lastStarted(auditId: number): Promise<string | null>;
  place(auditId: number): Promise<AlertPlace>;
  /** Adds a run and removes outdated runs. False when the run should be queued but another run is queued. */
  insert(
    run: { uuid: string; auditId: number; groupHash: string; scope: AlertScope },
    place: 'started' | 'queued',
  ): Promise<boolean>;
  /** Marks the queued run as started. False when it is no longer queued. */
  start(uuid: string): Promise<boolean>;
  /** Queued runs whose audits are free, the oldest first. */
  listStartable(limit: number): Promise<{ uuid: string; auditUuid: string; scope: AlertScope }[]>;
}

/** Retention of runs in days. Longer than any `repeatSeconds`. */
const keepDays = 8;
/** Longest wait of a queued run. After it the run is dropped, because firing alerts are sent again. */
const queueHours = 24;

const hasStartedPlan = `EXISTS (SELECT 1 FROM action_plans AS plan WHERE plan.audit_id = audit.id AND plan.deleted = 0
  AND plan.state IN ('PENDING', 'ONGOING', 'CANCELLING'))`;
const isTriggerable = `audit.deleted = 0 AND audit.state IN ('PENDING', 'ONGOING', 'SUCCEEDED', 'FAILED')`;
const isRequested = `audit.state = 'PENDING' AND audit.alert_run IS NOT NULL`;
const isBusy = `(audit.state = 'ONGOING' OR ${isRequested} OR ${hasStartedPlan})`;

/** Runs that alerts requested. Times are the database's. */
export function createAlertRuns(session: Session): AlertRuns {
  return {
    lastOfGroup: (auditId, groupHash) =>
      session.read(async (manager) => {
        const rows = await manager.query<AlertRun[]>(
          `SELECT uuid, scope, started_at AS "startedAt",
             extract(epoch FROM clock_timestamp() - coalesce(started_at, received_at))::double precision AS "ageSeconds"
           FROM alert_runs WHERE audit_id = $1 AND group_hash = $2 ORDER BY received_at DESC LIMIT 1`,
          [auditId, groupHash],
        );
        return rows[0] ?? null;
      }),

    lastStarted: (auditId) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ uuid: string }[]>(
          'SELECT uuid FROM alert_runs WHERE audit_id = $1 AND started_at IS NOT NULL ORDER BY started_at DESC LIMIT 1',
          [auditId],
        );
        return rows[0]?.uuid ?? null;
      }),

    place: (auditId) =>
      session.read(async (manager) => {
        const [row] = await manager.query<{ place: AlertPlace }[]>(
          `SELECT CASE WHEN NOT (${isTriggerable}) THEN 'closed' WHEN ${isBusy} THEN 'busy' ELSE 'free' END AS place
           FROM audits AS audit WHERE audit.id = $1`,
          [auditId],
        );
        return row?.place ?? 'closed';
      }),

    insert: ({ uuid, auditId, groupHash, scope }, place) =>
      session.write(async (manager) => {
        await manager.query(
          `DELETE FROM alert_runs WHERE audit_id = $1 AND (received_at < now() - interval '${keepDays} days'
             OR started_at IS NULL AND received_at < now() - interval '${queueHours} hours')`,
          [auditId],
        );
        const rows = await manager.query<unknown[]>(
          `INSERT INTO alert_runs (uuid, audit_id, group_hash, scope, started_at)
           VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN clock_timestamp() END)
           ON CONFLICT (audit_id) WHERE started_at IS NULL DO NOTHING RETURNING uuid`,
          [uuid, auditId, groupHash, scope === null ? null : JSON.stringify(scope), place === 'started'],
        );
        return rows.length > 0;
      }),

    start: (uuid) =>
      session.write(async (manager) => {
        const [, count] = await manager.query<[unknown[], number]>(
          'UPDATE alert_runs SET started_at = clock_timestamp() WHERE uuid = $1 AND started_at IS NULL',
          [uuid],
        );
        return count > 0;
      }),

    listStartable: (limit) =>
      session.read((manager) =>
        manager.query<{ uuid: string; auditUuid: string; scope: AlertScope }[]>(
          `SELECT run.uuid, audit.uuid AS "auditUuid", run.scope FROM alert_runs AS run
           JOIN audits AS audit ON audit.id = run.audit_id
           WHERE run.started_at IS NULL AND run.received_at > now() - interval '${queueHours} hours'
             AND ${isTriggerable} AND NOT ${isBusy}
           ORDER BY run.received_at LIMIT $1`,
          [limit],
        ),
      ),
  };
}
