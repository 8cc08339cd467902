import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the change stream needs: numbers for exactly the changes that a snapshot sees, a notification when something has
 * changed, services that are logged when they come to life or fall silent, and long-poll watchers.
 */
export class ChangeStream1795219210000 implements MigrationInterface {
  readonly name = 'ChangeStream1795219210000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Call while the lock of the change log is held and no change but these can have been numbered since they were seen.
      CREATE FUNCTION number_changes_of(seen bigint[]) RETURNS TABLE (epoch bigint, revno bigint) LANGUAGE plpgsql AS $$
      DECLARE
        head change_log_head;
        numbered bigint;
      BEGIN
        SELECT * INTO head FROM change_log_head WHERE id = 1 FOR UPDATE;
        UPDATE change_log AS entry
        SET epoch = head.epoch, revno = head.revno + waiting.place
        FROM (
          SELECT unnumbered.id, row_number() OVER (ORDER BY unnumbered.id) AS place
          FROM change_log AS unnumbered WHERE unnumbered.revno IS NULL AND unnumbered.id = ANY (seen)
        ) AS waiting
        WHERE entry.id = waiting.id;
        GET DIAGNOSTICS numbered = ROW_COUNT;
        IF numbered > 0 THEN
          UPDATE change_log_head SET revno = head.revno + numbered WHERE id = 1;
        END IF;
        RETURN QUERY SELECT head.epoch, head.revno + numbered;
      END $$;

      CREATE FUNCTION tell_of_changes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('vigil_changes', '');
        RETURN NULL;
      END $$;
      CREATE TRIGGER change_log_tell AFTER INSERT ON change_log
        FOR EACH STATEMENT EXECUTE FUNCTION tell_of_changes();

      CREATE TABLE service_statuses (
        service_id bigint NOT NULL CONSTRAINT pk_service_statuses PRIMARY KEY,
        status text NOT NULL
      );

      -- Heartbeats are not logged, but that they have ended or come back is.
      CREATE FUNCTION note_service_statuses(down_seconds integer) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE
        noted bigint;
      BEGIN
        WITH current AS (
          SELECT service.id, to_jsonb(service) AS doc,
            CASE WHEN coalesce(last_seen_up, updated_at, created_at) >= now() - down_seconds * interval '1 second'
              THEN 'ACTIVE' ELSE 'FAILED' END AS status
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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE watchers;
      DROP FUNCTION note_service_statuses(integer);
      DROP TABLE service_statuses;
      DROP TRIGGER change_log_tell ON change_log;
      DROP FUNCTION tell_of_changes();
      DROP FUNCTION number_changes_of(bigint[]);
    `);
  }
}
