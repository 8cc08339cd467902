import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Comments of users on action plans. A new one is logged as a change of kind `plan_comment` with the uuid of its plan,
 * and leaves the row of the plan unchanged. Processes of the release before neither read the table nor know the kind,
 * and their purge removes the comments with the plan.
 */
export class PlanComments1795305733000 implements Migration {
  readonly name = 'PlanComments1795305733000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE plan_comments (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_plan_comments PRIMARY KEY,
        uuid uuid NOT NULL CONSTRAINT uq_plan_comments_uuid UNIQUE,
        plan_id bigint NOT NULL CONSTRAINT fk_plan_comments_plan_id REFERENCES action_plans (id) ON DELETE CASCADE,
        text text NOT NULL CONSTRAINT ck_plan_comments_text CHECK (char_length(text) BETWEEN 1 AND 2000),
        author jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX ix_plan_comments_plan_id ON plan_comments (plan_id, id);

      CREATE FUNCTION tell_of_comment() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO change_log (kind, entity_uuid, op)
        SELECT 'plan_comment', uuid::text, 'update' FROM action_plans WHERE id = NEW.plan_id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER plan_comments_tell AFTER INSERT ON plan_comments
        FOR EACH ROW EXECUTE FUNCTION tell_of_comment();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE plan_comments;
      DROP FUNCTION tell_of_comment();
    `);
  }
}
