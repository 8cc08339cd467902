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
    INSERT INTO change_log (kind, entity_uuid, op, doc, old_state${columns})
    VALUES (TG_ARGV[0], coalesce(new_doc, old_doc) ->> TG_ARGV[1], change, new_doc,
      nullif(old_doc ->> 'state', coalesce(new_doc ->> 'state', 'DELETED'))${values});
    RETURN NULL;
  END $$;
`;

/** What happened to the run of an audit that keeps its state: a CONTINUOUS one is ONGOING before, in and after its runs. */
const runPhase = `
  CASE
    WHEN TG_ARGV[0] <> 'audit' OR change <> 'update' OR old_doc ->> 'state' <> new_doc ->> 'state' THEN NULL
    WHEN new_doc ->> 'run_instance' <> coalesce(old_doc ->> 'run_instance', '') THEN 'begun'
    WHEN new_doc -> 'report' IS DISTINCT FROM old_doc -> 'report' THEN 'succeeded'
    WHEN (new_doc ->> 'failed_runs')::integer > (old_doc ->> 'failed_runs')::integer THEN 'failed'
  END`;

/** The change log tells begin and end of the runs of audits, for notifications. */
export class RunPhases1795219360000 implements MigrationInterface {
  readonly name = 'RunPhases1795219360000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE change_log ADD COLUMN run_phase text');
    await runner.query(changeFunction(', run_phase', `, ${runPhase}`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(changeFunction('', ''));
    await runner.query('ALTER TABLE change_log DROP COLUMN run_phase');
  }
}
