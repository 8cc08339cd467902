import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Execution of plans: runs, the journal of intents, slots of running actions, work that crashed its process, totals of
 * removed plans.
 */
export class PlanRuns1795305601000 implements Migration {
  readonly name = 'PlanRuns1795305601000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE plan_runs (
        plan_id bigint NOT NULL CONSTRAINT fk_plan_runs_plan_id REFERENCES action_plans (id),
        run_no integer NOT NULL,
        instance_id text NOT NULL,
        fence bigint NOT NULL,
        started_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        outcome text,
        CONSTRAINT pk_plan_runs PRIMARY KEY (plan_id, run_no)
      );
      CREATE UNIQUE INDEX uq_plan_runs_fence ON plan_runs (plan_id, fence);

      CREATE TABLE action_attempts (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_action_attempts PRIMARY KEY,
        action_id bigint NOT NULL CONSTRAINT fk_action_attempts_action_id REFERENCES actions (id),
        attempt_no integer NOT NULL,
        fence bigint NOT NULL,
        phase text NOT NULL DEFAULT 'begun',
        intent jsonb NOT NULL DEFAULT '{}',
        result jsonb,
        external_ref text,
        started_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz
      );
      CREATE UNIQUE INDEX uq_action_attempts_no ON action_attempts (action_id, attempt_no);

      CREATE TABLE action_slots (
        name text NOT NULL,
        holder text NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT pk_action_slots PRIMARY KEY (name, holder)
      );
      CREATE INDEX ix_action_slots_holder ON action_slots (holder);

      CREATE TABLE work_crashes (
        kind text NOT NULL,
        uuid uuid NOT NULL,
        event_id bigint NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        cause text NOT NULL DEFAULT 'exception',
        alone boolean NOT NULL DEFAULT false,
        CONSTRAINT pk_work_crashes PRIMARY KEY (kind, uuid, event_id)
      );

      ${planTotals}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE plan_totals, work_crashes, action_slots, action_attempts, plan_runs;
    `);
  }
}

/** How many removed plans of an audit ended how on which day. */
export const planTotals = `CREATE TABLE plan_totals (
        audit_uuid uuid NOT NULL,
        strategy text NOT NULL,
        day date NOT NULL,
        state text NOT NULL,
        plans bigint NOT NULL,
        actions bigint NOT NULL,
        succeeded_actions bigint NOT NULL,
        failed_actions bigint NOT NULL,
        CONSTRAINT pk_plan_totals PRIMARY KEY (audit_uuid, strategy, day, state)
      );
      CREATE INDEX ix_plan_totals_day ON plan_totals (day);`;
