import type { Session } from '../session/session.ts';
import type { ConfigWarning, ScheduledTask, ScheduledTasks } from './types.ts';

const columns = `name, task, cron, timezone, args, enabled, source, misfire_policy AS "misfirePolicy",
  max_jitter_seconds AS "maxJitterSeconds", last_fire_at AS "lastFireAt", next_fire_at AS "nextFireAt"`;

/** Schedules and the warnings about their configuration. */
export function createScheduledTasks(session: Session): ScheduledTasks {
  return {
    list: () =>
      session.read((manager) => manager.query<ScheduledTask[]>(`SELECT ${columns} FROM scheduled_tasks ORDER BY name`)),

    put: (schedule) =>
      session.writeOnce(async (manager) => {
        await manager.query(
          `INSERT INTO scheduled_tasks (name, task, cron, timezone, args, enabled, source, misfire_policy,
             max_jitter_seconds, next_fire_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           ON CONFLICT (name) DO UPDATE SET task = excluded.task, cron = excluded.cron, timezone = excluded.timezone,
             args = excluded.args, enabled = excluded.enabled, source = excluded.source,
             misfire_policy = excluded.misfire_policy, max_jitter_seconds = excluded.max_jitter_seconds,
             next_fire_at = excluded.next_fire_at`,
          [
            schedule.name,
            schedule.task,
            schedule.cron,
            schedule.timezone,
            JSON.stringify(schedule.args),
            schedule.enabled,
            schedule.source,
            schedule.misfirePolicy,
            schedule.maxJitterSeconds,
            schedule.nextFireAt,
          ],
        );
      }),

    keepOnly: (names) =>
      session.writeOnce(async (manager) => {
        await manager.query('DELETE FROM scheduled_tasks WHERE name <> ALL($1::text[])', [names]);
      }),

    lockDue: () =>
      session.write(async (manager) => {
        const rows = await manager.query<ScheduledTask[]>(
          `SELECT ${columns} FROM scheduled_tasks WHERE enabled AND next_fire_at <= clock_timestamp()
           ORDER BY next_fire_at, name LIMIT 1 FOR UPDATE SKIP LOCKED`,
        );
        return rows[0] ?? null;
      }),

    advance: (name, { lastFireAt, nextFireAt }) =>
      session.writeOnce(async (manager) => {
        await manager.query('UPDATE scheduled_tasks SET last_fire_at = $2, next_fire_at = $3 WHERE name = $1', [
          name,
          lastFireAt,
          nextFireAt,
        ]);
      }),

    setWarnings: (source, warnings) =>
      session.write(async (manager) => {
        const names = warnings.map(({ name }) => name);
        const reasons = warnings.map(({ reason }) => reason);
        await manager.query('DELETE FROM config_warnings WHERE source = $1 AND name <> ALL($2::text[])', [
          source,
          names,
        ]);
        await manager.query(
          `INSERT INTO config_warnings AS known (source, name, reason)
           SELECT $1, name, reason FROM unnest($2::text[], $3::text[]) AS given (name, reason)
           ON CONFLICT (source, name) DO UPDATE SET reason = excluded.reason, at = now()
           WHERE known.reason <> excluded.reason`,
          [source, names, reasons],
        );
      }),

    warnings: () =>
      session.read((manager) =>
        manager.query<ConfigWarning[]>('SELECT source, name, reason, at FROM config_warnings ORDER BY source, name'),
      ),
  };
}
