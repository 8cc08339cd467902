import type { MigrationInterface, QueryRunner } from 'typeorm';

const changeFunction = (columns: string, values: string) => `
  CREATE OR REPLACE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $$
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
    INSERT INTO change_log (kind, entity_uuid, op, doc${columns})
    VALUES (TG_ARGV[0], coalesce(new_doc, old_doc) ->> TG_ARGV[1], change, new_doc${values});
    RETURN NULL;
  END $$;
`;

/** What notifications need of the change log: the state before a change, and how far readers with a name have come. */
export class Notifications1795219208000 implements MigrationInterface {
  readonly name = 'Notifications1795219208000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE change_log ADD COLUMN old_state text;
      CREATE TABLE change_log_readers (
        name text NOT NULL CONSTRAINT pk_change_log_readers PRIMARY KEY,
        epoch bigint NOT NULL,
        revno bigint NOT NULL
      );
    `);
    await runner.query(
      changeFunction(', old_state', `, nullif(old_doc ->> 'state', coalesce(new_doc ->> 'state', 'DELETED'))`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(changeFunction('', ''));
    await runner.query('DROP TABLE change_log_readers; ALTER TABLE change_log DROP COLUMN old_state;');
  }
}
