import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Measurements before and after action plans, with the time at which each is due. The indexes find actions by their
 * end: those of other plans in a window of time, and the newest of a type. Processes of the previous release
 * neither read nor write the table.
 */
export class PlanMeasurements1795305653000 implements Migration {
  readonly name = 'PlanMeasurements1795305653000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE plan_measurements (
        plan_id bigint NOT NULL CONSTRAINT fk_plan_measurements_plan_id REFERENCES action_plans (id) ON DELETE CASCADE,
        phase text NOT NULL,
        state text NOT NULL DEFAULT 'DUE',
        requested_at timestamptz NOT NULL DEFAULT now(),
        not_before timestamptz NOT NULL DEFAULT now(),
        due_at timestamptz NOT NULL DEFAULT now(),
        deadline timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        window_start timestamptz,
        window_end timestamptz,
        reason text,
        ended_at timestamptz,
        CONSTRAINT pk_plan_measurements PRIMARY KEY (plan_id, phase),
        CONSTRAINT ck_plan_measurements_phase CHECK (phase IN ('before', 'after')),
        CONSTRAINT ck_plan_measurements_state CHECK (state IN ('DUE', 'MEASURED', 'NOT_MEASURED'))
      );
      CREATE INDEX ix_plan_measurements_due ON plan_measurements (phase, due_at) WHERE state = 'DUE';
      CREATE INDEX ix_actions_ended_at ON actions (ended_at);
      CREATE INDEX ix_actions_type_ended_at ON actions (action_type, ended_at) WHERE state = 'SUCCEEDED' AND deleted = 0;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ix_actions_type_ended_at;
      DROP INDEX ix_actions_ended_at;
      DROP TABLE plan_measurements;
    `);
  }
}
