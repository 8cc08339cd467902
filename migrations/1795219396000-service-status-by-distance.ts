import type { MigrationInterface, QueryRunner } from 'typeorm';

const noteStatuses = (isActive: string) => `
  CREATE OR REPLACE FUNCTION note_service_statuses(down_seconds integer) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    noted bigint;
  BEGIN
    WITH current AS (
      SELECT service.id, to_jsonb(service) AS doc, CASE WHEN ${isActive} THEN 'ACTIVE' ELSE 'FAILED' END AS status
      FROM services AS service WHERE deleted = 0
    ), flipped AS (
      INSERT INTO service_statuses AS noted (service_id, status)
      SELECT id, status FROM current
      WHERE NOT EXISTS (
        SELECT FROM service_statuses AS same WHERE same.service_id = current.id AND same.status = current.status
      )
      ON CONFLICT (service_id) DO UPDATE SET status = excluded.status WHERE noted.status <> excluded.status
      RETURNING service_id, xmax <> 0 AS known
    )
    INSERT INTO change_log (kind, entity_uuid, op, doc)
    SELECT 'service', current.id::text, 'update', current.doc
    FROM flipped JOIN current ON current.id = flipped.service_id WHERE flipped.known ORDER BY current.id;
    GET DIAGNOSTICS noted = ROW_COUNT;
    RETURN noted;
  END $$;
`;

const lastSeen = 'coalesce(last_seen_up, updated_at, created_at)';
const since = `${lastSeen} >= now() - down_seconds * interval '1 second'`;

/**
 * A service counts as alive when its last heartbeat is near to now, not when it is newer than that: after a fail-over to
 * a database whose clock is behind, heartbeats of services that have ended may lie in the future.
 */
export class ServiceStatusByDistance1795219396000 implements MigrationInterface {
  readonly name = 'ServiceStatusByDistance1795219396000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(noteStatuses(`${since} AND ${lastSeen} <= now() + down_seconds * interval '1 second'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(noteStatuses(since));
  }
}
