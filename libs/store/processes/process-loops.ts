import type { Session } from '../session/session.ts';
import type { ProcessLoop, ServiceInstance, ServiceRegistry } from './types.ts';

/** Recurring work of processes, as reported with their heartbeats. */
export function createProcessLoops(session: Session): Pick<ServiceRegistry, 'noteLoops' | 'loops'> {
  return {
    noteLoops: (instanceId, loops) =>
      session.write(async (manager) => {
        if (loops.length === 0) return;
        await manager.query(
          `INSERT INTO process_loops (instance_id, name, every_ms, took_ms, last_run_at, failures, last_error)
           SELECT $1::uuid, name, "everyMs", "tookMs", now() - "ageMs" * interval '1 millisecond', failures, "lastError"
           FROM jsonb_to_recordset($2::jsonb) AS given (name text, "everyMs" integer, "tookMs" integer,
             "ageMs" double precision, failures integer, "lastError" text)
           ON CONFLICT (instance_id, name) DO UPDATE SET every_ms = excluded.every_ms, took_ms = excluded.took_ms,
             last_run_at = excluded.last_run_at, failures = excluded.failures, last_error = excluded.last_error`,
          [instanceId, JSON.stringify(loops)],
        );
      }),

    loops: () =>
      session.read((manager) =>
        manager.query<(ProcessLoop & Pick<ServiceInstance, 'serviceName' | 'host'>)[]>(
          `SELECT noted.instance_id AS "instanceId", noted.name, noted.every_ms AS "everyMs", noted.took_ms AS "tookMs",
             noted.last_run_at AS "lastRunAt", noted.failures, noted.last_error AS "lastError",
             live.service_name AS "serviceName", live.host
           FROM process_loops AS noted JOIN service_instances AS live USING (instance_id)
           WHERE live.ended_at IS NULL ORDER BY noted.name, live.service_name, live.host`,
        ),
      ),
  };
}
