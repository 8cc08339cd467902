import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What processes tell all others of things that are not rows: models of the cloud, dead letters of the bus. */
export class PublishedStates1795219351000 implements MigrationInterface {
  readonly name = 'PublishedStates1795219351000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE published_states;
      DROP FUNCTION tell_of_state();
    `);
  }
}
