import { LeaseLostError } from '#libs/domain';
import type { Session } from '../session/session.ts';
import type { RecoveryDecision, RecoveryJob, RecoveryJobs, WorkCrashes } from './types.ts';

const jobColumns = `job_key AS "jobKey", rule, subject, phase, data, started_at AS "startedAt",
  deadline_at AS "deadlineAt", ended_at AS "endedAt", outcome,
  (extract(epoch FROM now() - started_at) * 1000)::double precision AS "ageMs", deadline_at <= now() AS "isLate"`;

/** Jobs, decisions and crashes. See `RecoveryJobs`. */
export function createRecoveryJobs(session: Session): RecoveryJobs {
  return {
    ...createJobs(session),

    holdLease: (resource, fence) =>
      session.write(async (manager) => {
        const rows = await manager.query<unknown[]>(
          'SELECT 1 FROM leases WHERE resource = $1 AND fence = $2 AND expires_at > now() FOR SHARE',
          [resource, fence],
        );
        if (rows.length === 0) throw new LeaseLostError(resource);
      }),

    decide: (decision) =>
      session.write(async (manager) => {
        await manager.query(
          `INSERT INTO recovery_decisions (rule, job_key, inputs, outcome, detail, duration_ms, fence)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [
            decision.rule,
            decision.jobKey,
            JSON.stringify(decision.inputs),
            decision.outcome,
            decision.detail,
            Math.round(decision.durationMs),
            decision.fence,
          ],
        );
      }),

    decisions: ({ limit, beforeId, rule }) =>
      session.read((manager) =>
        manager.query<RecoveryDecision[]>(
          `SELECT id, rule, job_key AS "jobKey", inputs, outcome, detail, duration_ms AS "durationMs", fence,
             decided_at AS "decidedAt"
           FROM recovery_decisions WHERE ($2::bigint IS NULL OR id < $2) AND ($3::text IS NULL OR rule = $3)
           ORDER BY id DESC LIMIT $1`,
          [limit, beforeId ?? null, rule ?? null],
        ),
      ),

    hasMessage: ({ kind, uuid }, seconds) =>
      session.read(async (manager) => {
        const [type, field] = kind === 'plan' ? ['plan.launch', 'plan_uuid'] : ['audit.trigger', 'audit_uuid'];
        const rows = await manager.query<unknown[]>(
          `SELECT 1 FROM outbox WHERE type = $1 AND body ->> $2 = $3 AND (published_at IS NULL
             OR published_at > now() - $4::double precision * interval '1 second') LIMIT 1`,
          [type, field, uuid, seconds],
        );
        return rows.length > 0;
      }),

    noteCrash: ({ kind, uuid }, { eventId, cause, alone }) =>
      session.write(async (manager) => {
        await manager.query(
          'INSERT INTO work_crashes (kind, uuid, event_id, cause, alone) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
          [kind, uuid, eventId, cause, alone],
        );
        const rows = await manager.query<WorkCrashes[]>(
          `SELECT count(*) FILTER (WHERE cause = 'exception')::int AS exceptions,
             count(*) FILTER (WHERE cause = 'lost')::int AS lost,
             coalesce(bool_or(alone) FILTER (WHERE cause = 'exception'), false) AS alone
           FROM work_crashes WHERE kind = $1 AND uuid = $2`,
          [kind, uuid],
        );
        return rows[0] as WorkCrashes;
      }),

    prune: (ageSeconds) =>
      session.write(async (manager) => {
        const old = (column: string) => `${column} < now() - $1::double precision * interval '1 second'`;
        let removed = 0;
        for (const statement of [
          `DELETE FROM recovery_decisions WHERE ${old('decided_at')}`,
          `DELETE FROM recovery_jobs WHERE ${old('ended_at')}`,
          `DELETE FROM service_events WHERE acknowledged_at IS NOT NULL AND ${old('at')}`,
          `DELETE FROM service_requests WHERE ${old('ended_at')}`,
          `DELETE FROM work_crashes WHERE ${old('at')}`,
          `DELETE FROM graph_edges AS edge USING service_instances AS instance WHERE ${old('instance.ended_at')}
             AND edge.dst_kind = 'ServiceName' AND edge.dst_id = instance.service_name || '@' || instance.host
             AND NOT EXISTS (SELECT 1 FROM service_instances AS other WHERE other.service_name = instance.service_name
               AND other.host = instance.host AND (other.ended_at IS NULL OR other.ended_at > instance.ended_at))`,
          `DELETE FROM service_instances WHERE ${old('ended_at')}`,
          `DELETE FROM service_statuses USING services WHERE service_id = services.id AND deleted <> 0 AND ${old('deleted_at')}`,
          `DELETE FROM services WHERE deleted <> 0 AND ${old('deleted_at')}`,
          `UPDATE services SET deleted = id, deleted_at = now()
           WHERE deleted = 0 AND ${old('coalesce(last_seen_up, updated_at, created_at)')}`,
        ]) {
          const [, count] = await manager.query<[unknown[], number]>(statement, [ageSeconds]);
          removed += count;
        }
        return removed;
      }),
  };
}

function createJobs(session: Session) {
  const jobs: Pick<RecoveryJobs, 'openJob' | 'openJobs' | 'takeJob' | 'advance' | 'endJob' | 'listJobs'> = {
    openJob: ({ jobKey, rule, subject, phase, timeLimitMs, againAfterMs }) =>
      session.write(async (manager) => {
        const rows = await manager.query<unknown[]>(
          `INSERT INTO recovery_jobs AS job (job_key, rule, subject, phase, deadline_at)
           VALUES ($1, $2, $3, $4, now() + $5::double precision * interval '1 millisecond')
           ON CONFLICT (job_key) DO UPDATE SET subject = excluded.subject, phase = excluded.phase, data = '{}',
             started_at = now(), deadline_at = excluded.deadline_at, ended_at = NULL, outcome = NULL
           WHERE job.ended_at < now() - $6::double precision * interval '1 millisecond'
           RETURNING job_key`,
          [jobKey, rule, JSON.stringify(subject), phase, timeLimitMs, againAfterMs ?? null],
        );
        return rows.length > 0;
      }),

    openJobs: () =>
      session.read(async (manager) => {
        const rows = await manager.query<{ jobKey: string }[]>(
          'SELECT job_key AS "jobKey" FROM recovery_jobs WHERE ended_at IS NULL ORDER BY started_at, job_key',
        );
        return rows.map(({ jobKey }) => jobKey);
      }),

    takeJob: (jobKey) =>
      session.write(async (manager) => {
        const rows = await manager.query<RecoveryJob[]>(
          `SELECT ${jobColumns} FROM recovery_jobs WHERE job_key = $1 AND ended_at IS NULL FOR UPDATE SKIP LOCKED`,
          [jobKey],
        );
        return rows[0] ?? null;
      }),

    advance: (jobKey, phase, data) =>
      session.write(async (manager) => {
        await manager.query('UPDATE recovery_jobs SET phase = $2, data = $3 WHERE job_key = $1 AND ended_at IS NULL', [
          jobKey,
          phase,
          JSON.stringify(data),
        ]);
      }),

    endJob: (jobKey, outcome) =>
      session.write(async (manager) => {
        await manager.query(
          'UPDATE recovery_jobs SET ended_at = now(), outcome = $2 WHERE job_key = $1 AND ended_at IS NULL',
          [jobKey, outcome],
        );
      }),

    listJobs: (limit) =>
      session.read((manager) =>
        manager.query<RecoveryJob[]>(
          `SELECT ${jobColumns} FROM recovery_jobs ORDER BY (ended_at IS NULL) DESC, started_at DESC LIMIT $1`,
          [limit],
        ),
      ),
  };
  return jobs;
}
