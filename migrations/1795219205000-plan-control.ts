import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How a plan is run: pause, maintenance window, abort, options of its own; why an action ended; how well action types can
 * be reverted; and the places that running actions take in limits that hold across processes.
 */
export class PlanControl1795219205000 implements MigrationInterface {
  readonly name = 'PlanControl1795219205000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE action_plans
        ADD COLUMN paused boolean NOT NULL DEFAULT false,
        ADD COLUMN abort_running boolean NOT NULL DEFAULT false,
        ADD COLUMN hold_until timestamptz,
        ADD COLUMN window_start timestamptz,
        ADD COLUMN window_end timestamptz,
        ADD COLUMN window_cron text,
        ADD COLUMN window_seconds integer,
        ADD COLUMN max_workers integer,
        ADD COLUMN max_migrations integer;
      ALTER TABLE actions ADD COLUMN end_reason text;
      ALTER TABLE action_descriptions ADD COLUMN revertible text;

      CREATE TABLE action_slots (
        name text NOT NULL,
        holder text NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT pk_action_slots PRIMARY KEY (name, holder)
      );
      CREATE INDEX ix_action_slots_holder ON action_slots (holder);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE action_slots;
      ALTER TABLE action_descriptions DROP COLUMN revertible;
      ALTER TABLE actions DROP COLUMN end_reason;
      ALTER TABLE action_plans
        DROP COLUMN paused, DROP COLUMN abort_running, DROP COLUMN hold_until, DROP COLUMN window_start,
        DROP COLUMN window_end, DROP COLUMN window_cron, DROP COLUMN window_seconds, DROP COLUMN max_workers,
        DROP COLUMN max_migrations;
    `);
  }
}
