import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Entity tables whose changes are logged row by row, with their kind in the log and the key that is used as their uuid.
 */
const followed = [
  { table: 'goals', kind: 'goal', key: 'uuid' },
  { table: 'strategies', kind: 'strategy', key: 'uuid' },
  { table: 'audit_templates', kind: 'audit_template', key: 'uuid' },
  { table: 'audits', kind: 'audit', key: 'uuid' },
  { table: 'action_plans', kind: 'action_plan', key: 'uuid' },
  { table: 'efficacy_indicators', kind: 'efficacy_indicator', key: 'uuid' },
  { table: 'scoring_engines', kind: 'scoring_engine', key: 'uuid' },
  { table: 'services', kind: 'service', key: 'id' },
] as const;

/**
 * The change log and `updated_at`. Writers append unnumbered rows in their own transaction. `number_changes()`
 * numbers the visible rows (up to a limit), one caller at a time. A number therefore never appears below one
 * already read, and none is missing. Rows of one call are numbered in order of `id`. Of two changes to one entity
 * the later one has the higher id, because the row lock lets its trigger run only after the other transaction has
 * ended.
 *
 * Changes of actions are logged once for each statement instead of once for each row: an applier writes many in one
 * statement, and these triggers are most of its cost. The rows are locked until the transaction ends, so of two
 * changes to one action the later one also has the higher id. The log contains start and end of the runs of audits,
 * for notifications. A run of a CONTINUOUS audit has succeeded when it has ended without a failure.
 */
export class ChangeLog1795305602000 implements Migration {
  readonly name = 'ChangeLog1795305602000';

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
        at timestamptz NOT NULL DEFAULT now(),
        old_state text,
        run_phase text
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

      CREATE TABLE change_log_readers (
        name text NOT NULL CONSTRAINT pk_change_log_readers PRIMARY KEY,
        epoch bigint NOT NULL,
        revno bigint NOT NULL
      );

      CREATE FUNCTION touch_row() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF to_jsonb(NEW) - ARRAY['updated_at', 'lease_expires_at', 'fence']
          IS DISTINCT FROM to_jsonb(OLD) - ARRAY['updated_at', 'lease_expires_at', 'fence']
        THEN
          NEW.updated_at := now();
        END IF;
        RETURN NEW;
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
    `);
    await runner.query(recordChange);
    for (const { table, kind, key } of followed) {
      await runner.query(`
        CREATE TRIGGER ${table}_touch BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION touch_row();
        CREATE TRIGGER ${table}_change AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION record_change('${kind}', '${key}');
      `);
    }
    await runner.query(actionChanges);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of followed) {
      await runner.query(`DROP TRIGGER ${table}_change ON ${table}; DROP TRIGGER ${table}_touch ON ${table};`);
    }
    await runner.query(`
      DROP TRIGGER actions_delete ON actions;
      DROP TRIGGER actions_update ON actions;
      DROP TRIGGER actions_insert ON actions;
      DROP TRIGGER actions_touch ON actions;
      DROP TABLE change_log_readers, change_log_head, change_log;
      DROP FUNCTION tell_of_changes();
      DROP FUNCTION number_changes_of(bigint[]);
      DROP FUNCTION number_changes(integer);
      DROP FUNCTION record_action_changes();
      DROP FUNCTION record_change();
      DROP FUNCTION touch_changed_row();
      DROP FUNCTION touch_row();
    `);
  }
}

const recordChange = `
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
    INSERT INTO change_log (kind, entity_uuid, op, doc, old_state, run_phase)
    VALUES (TG_ARGV[0], coalesce(new_doc, old_doc) ->> TG_ARGV[1], change, new_doc,
      nullif(old_doc ->> 'state', coalesce(new_doc ->> 'state', 'DELETED')),
      CASE
        WHEN TG_ARGV[0] <> 'audit' OR change <> 'update' OR old_doc ->> 'state' <> new_doc ->> 'state' THEN NULL
        WHEN new_doc ->> 'run_instance' <> coalesce(old_doc ->> 'run_instance', '') THEN 'begun'
        WHEN (new_doc ->> 'failed_runs')::integer > (old_doc ->> 'failed_runs')::integer THEN 'failed' WHEN new_doc -> 'last_run_at' IS DISTINCT FROM old_doc -> 'last_run_at' THEN 'succeeded'
      END);
    RETURN NULL;
  END $$;
`;

/** Changes of actions, by statement. */
export const actionChanges = `
      CREATE FUNCTION touch_changed_row() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.updated_at := now();
        RETURN NEW;
      END $$;

      CREATE FUNCTION record_action_changes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Also a statement that has touched no row gets here. An insertion of nothing would wake all who wait for changes.
        IF TG_OP = 'DELETE' THEN
          PERFORM FROM former LIMIT 1;
        ELSE
          PERFORM FROM later LIMIT 1;
        END IF;
        IF NOT FOUND THEN
          RETURN NULL;
        END IF;
        IF TG_OP = 'INSERT' THEN
          INSERT INTO change_log (kind, entity_uuid, op, doc)
          SELECT 'action', later.uuid::text, 'create', to_jsonb(later)
          FROM later WHERE later.deleted = 0 ORDER BY later.id;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO change_log (kind, entity_uuid, op, old_state)
          SELECT 'action', former.uuid::text, 'delete', former.state
          FROM former WHERE former.deleted = 0 ORDER BY former.id;
        ELSE
          INSERT INTO change_log (kind, entity_uuid, op, doc, old_state)
          SELECT 'action', later.uuid::text,
            CASE WHEN later.deleted <> 0 THEN 'delete' WHEN former.deleted <> 0 THEN 'create' ELSE 'update' END,
            CASE WHEN later.deleted = 0 THEN to_jsonb(later) END,
            nullif(former.state, CASE WHEN later.deleted = 0 THEN later.state ELSE 'DELETED' END)
          FROM former JOIN later ON later.id = former.id
          WHERE (former.deleted = 0 OR later.deleted = 0) AND former IS DISTINCT FROM later
          ORDER BY later.id;
        END IF;
        RETURN NULL;
      END $$;

      CREATE TRIGGER actions_touch BEFORE UPDATE ON actions
        FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION touch_changed_row();
      CREATE TRIGGER actions_insert AFTER INSERT ON actions REFERENCING NEW TABLE AS later
        FOR EACH STATEMENT EXECUTE FUNCTION record_action_changes();
      CREATE TRIGGER actions_update AFTER UPDATE ON actions REFERENCING OLD TABLE AS former NEW TABLE AS later
        FOR EACH STATEMENT EXECUTE FUNCTION record_action_changes();
      CREATE TRIGGER actions_delete AFTER DELETE ON actions REFERENCING OLD TABLE AS former
        FOR EACH STATEMENT EXECUTE FUNCTION record_action_changes();
`;
