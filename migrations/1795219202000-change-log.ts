import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entity tables that are followed, with the kind their changes are logged under and the key used as their uuid. */
const followed = [
  { table: 'goals', kind: 'goal', key: 'uuid' },
  { table: 'strategies', kind: 'strategy', key: 'uuid' },
  { table: 'audit_templates', kind: 'audit_template', key: 'uuid' },
  { table: 'audits', kind: 'audit', key: 'uuid' },
  { table: 'action_plans', kind: 'action_plan', key: 'uuid' },
  { table: 'actions', kind: 'action', key: 'uuid' },
  { table: 'efficacy_indicators', kind: 'efficacy_indicator', key: 'uuid' },
  { table: 'scoring_engines', kind: 'scoring_engine', key: 'uuid' },
  { table: 'services', kind: 'service', key: 'id' },
] as const;

/**
 * The change log and `updated_at`. Writers append unnumbered rows in their own transaction; `number_changes()` gives
 * numbers to the rows that have become visible (at most as many as it is told), one caller at a time, so a number never appears below one already read
 * and none is missing. Rows of one call are numbered in order of `id`: of two changes to one entity the later one has
 * the higher id, because the row lock lets its trigger run only after the other transaction has ended.
 */
export class ChangeLog1795219202000 implements MigrationInterface {
  readonly name = 'ChangeLog1795219202000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE change_log (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_change_log PRIMARY KEY,
        epoch bigint,
        revno bigint,
        kind text NOT NULL,
        entity_uuid text NOT NULL,
        op text NOT NULL,
        doc jsonb,
        at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX uq_change_log_revno ON change_log (epoch, revno) WHERE revno IS NOT NULL;
      CREATE INDEX ix_change_log_unnumbered ON change_log (id) WHERE revno IS NULL;
      CREATE INDEX ix_change_log_at ON change_log (at);

      CREATE TABLE change_log_head (
        id integer NOT NULL CONSTRAINT pk_change_log_head PRIMARY KEY,
        epoch bigint NOT NULL,
        revno bigint NOT NULL
      );
      INSERT INTO change_log_head (id, epoch, revno) VALUES (1, 1, 0);

      CREATE FUNCTION touch_row() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF to_jsonb(NEW) - ARRAY['updated_at', 'lease_expires_at', 'fence']
          IS DISTINCT FROM to_jsonb(OLD) - ARRAY['updated_at', 'lease_expires_at', 'fence']
        THEN
          NEW.updated_at := now();
        END IF;
        RETURN NEW;
      END $$;

      CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        quiet CONSTANT text[] := ARRAY['updated_at', 'lease_expires_at', 'fence', 'last_seen_up'];
        old_doc jsonb;
        new_doc jsonb;
        was_live boolean := false;
        is_live boolean := false;
        change text;
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          old_doc := to_jsonb(OLD);
          was_live := OLD.deleted = 0;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          new_doc := to_jsonb(NEW);
          is_live := NEW.deleted = 0;
        END IF;
        IF was_live AND is_live THEN
          IF old_doc - quiet = new_doc - quiet THEN
            RETURN NULL;
          END IF;
          change := 'update';
        ELSIF is_live THEN
          change := 'create';
        ELSIF was_live THEN
          change := 'delete';
          new_doc := NULL;
        ELSE
          RETURN NULL;
        END IF;
        INSERT INTO change_log (kind, entity_uuid, op, doc)
        VALUES (TG_ARGV[0], coalesce(new_doc, old_doc) ->> TG_ARGV[1], change, new_doc);
        RETURN NULL;
      END $$;

      CREATE FUNCTION number_changes(at_most integer) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE
        head change_log_head;
        numbered bigint;
      BEGIN
        -- Most reads find nothing to number; they must not queue behind each other.
        PERFORM 1 FROM change_log WHERE revno IS NULL LIMIT 1;
        IF NOT FOUND THEN
          RETURN 0;
        END IF;
        -- The lock comes in a statement of its own: the snapshot of the next one then includes all that earlier
        -- callers have numbered.
        PERFORM pg_advisory_xact_lock(hashtextextended('vigil:change_log', 0));
        SELECT * INTO head FROM change_log_head WHERE id = 1 FOR UPDATE;
        UPDATE change_log AS entry
        SET epoch = head.epoch, revno = head.revno + waiting.place
        FROM (
          SELECT id, row_number() OVER (ORDER BY id) AS place FROM change_log WHERE revno IS NULL
          ORDER BY id LIMIT at_most
        ) AS waiting
        WHERE entry.id = waiting.id;
        GET DIAGNOSTICS numbered = ROW_COUNT;
        UPDATE change_log_head SET revno = head.revno + numbered WHERE id = 1;
        RETURN numbered;
      END $$;
    `);
    for (const { table, kind, key } of followed) {
      await runner.query(`
        CREATE TRIGGER ${table}_touch BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION touch_row();
        CREATE TRIGGER ${table}_change AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION record_change('${kind}', '${key}');
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of followed) {
      await runner.query(`DROP TRIGGER ${table}_change ON ${table}; DROP TRIGGER ${table}_touch ON ${table};`);
    }
    await runner.query(`
      DROP FUNCTION number_changes(integer);
      DROP FUNCTION record_change();
      DROP FUNCTION touch_row();
      DROP TABLE change_log_head, change_log;
    `);
  }
}
