import type { MigrationInterface, QueryRunner } from 'typeorm';

const changeFunction = (runPhase: string) => `
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
    INSERT INTO change_log (kind, entity_uuid, op, doc, old_state, run_phase)
    VALUES (TG_ARGV[0], coalesce(new_doc, old_doc) ->> TG_ARGV[1], change, new_doc,
      nullif(old_doc ->> 'state', coalesce(new_doc ->> 'state', 'DELETED')),
      CASE
        WHEN TG_ARGV[0] <> 'audit' OR change <> 'update' OR old_doc ->> 'state' <> new_doc ->> 'state' THEN NULL
        WHEN new_doc ->> 'run_instance' <> coalesce(old_doc ->> 'run_instance', '') THEN 'begun'
        ${runPhase}
      END);
    RETURN NULL;
  END $$;
`;

const hasFailed = `WHEN (new_doc ->> 'failed_runs')::integer > (old_doc ->> 'failed_runs')::integer THEN 'failed'`;
const hasNewReport = `WHEN new_doc -> 'report' IS DISTINCT FROM old_doc -> 'report' THEN 'succeeded'`;
const hasRun = `WHEN new_doc -> 'last_run_at' IS DISTINCT FROM old_doc -> 'last_run_at' THEN 'succeeded'`;

/**
 * The change log calls a run of a CONTINUOUS audit succeeded when it has ended without a failure, not when its report is
 * another one: a run that failed may have a report too, and one that succeeded may have the report of the run before.
 */
export class RunOutcomes1795219395000 implements MigrationInterface {
  readonly name = 'RunOutcomes1795219395000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(changeFunction(`${hasFailed} ${hasRun}`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(changeFunction(`${hasNewReport} ${hasFailed}`));
  }
}
