import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Readers of the change stream, states that processes publish and that are not rows, and services that come to life or
 * fall silent.
 */
export class ChangeStream1795305603000 implements Migration {
  readonly name = 'ChangeStream1795305603000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE watchers (
        id uuid NOT NULL CONSTRAINT pk_watchers PRIMARY KEY,
        owner text NOT NULL,
        filter jsonb NOT NULL,
        epoch bigint,
        revno bigint,
        page_after text,
        paged_until bigint NOT NULL DEFAULT 0,
        version integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_seen_at timestamptz NOT NULL DEFAULT now(),
        stopped_at timestamptz
      );
      CREATE INDEX ix_watchers_owner ON watchers (owner);
      CREATE INDEX ix_watchers_last_seen_at ON watchers (last_seen_at);

      CREATE TABLE published_states (
        kind text NOT NULL,
        name text NOT NULL,
        doc jsonb NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_published_states PRIMARY KEY (kind, name)
      );

      CREATE FUNCTION tell_of_state() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO change_log (kind, entity_uuid, op)
        VALUES (NEW.kind, NEW.name, CASE TG_OP WHEN 'INSERT' THEN 'create' ELSE 'update' END);
        RETURN NULL;
      END $$;

      CREATE TRIGGER published_states_tell_new AFTER INSERT ON published_states
        FOR EACH ROW EXECUTE FUNCTION tell_of_state();
      CREATE TRIGGER published_states_tell AFTER UPDATE ON published_states FOR EACH ROW
        WHEN (OLD.doc IS DISTINCT FROM NEW.doc) EXECUTE FUNCTION tell_of_state();

      CREATE TABLE service_statuses (
        service_id bigint NOT NULL CONSTRAINT pk_service_statuses PRIMARY KEY,
        status text NOT NULL
      );
    `);
    await runner.query(noteStatuses);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION note_service_statuses(integer);
      DROP TABLE service_statuses, published_states, watchers;
      DROP FUNCTION tell_of_state();
    `);
  }
}

/**
 * Heartbeats are not logged. That they have ended or return is. A service counts as alive when its last heartbeat is
 * near to now, not when it is newer than that: after a fail-over to a database whose clock is behind, heartbeats of
 * services that have ended may lie in the future.
 */
const noteStatuses = `
  CREATE FUNCTION note_service_statuses(down_seconds integer) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    noted bigint;
  BEGIN
    WITH current AS (
      SELECT service.id, to_jsonb(service) AS doc, CASE WHEN coalesce(last_seen_up, updated_at, created_at) >= now() - down_seconds * interval '1 second' AND coalesce(last_seen_up, updated_at, created_at) <= now() + down_seconds * interval '1 second' THEN 'ACTIVE' ELSE 'FAILED' END AS status
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
