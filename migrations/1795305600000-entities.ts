import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Watcher's entities, one table each, with our columns, and our tables for audits and plans. Key order in parameters is
 * kept (`json`).
 */
export class Entities1795305600000 implements Migration {
  readonly name = 'Entities1795305600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE goals (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_goals PRIMARY KEY,
        uuid uuid NOT NULL,
        name text NOT NULL,
        display_name text NOT NULL,
        efficacy_specification jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0
      );
      CREATE UNIQUE INDEX uq_goals_uuid ON goals (uuid);
      CREATE UNIQUE INDEX uq_goals_name ON goals (name) WHERE deleted = 0;

      CREATE TABLE strategies (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_strategies PRIMARY KEY,
        uuid uuid NOT NULL,
        name text NOT NULL,
        display_name text NOT NULL,
        goal_id bigint NOT NULL CONSTRAINT fk_strategies_goal_id REFERENCES goals (id),
        parameters_spec json NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0
      );
      CREATE UNIQUE INDEX uq_strategies_uuid ON strategies (uuid);
      CREATE UNIQUE INDEX uq_strategies_name ON strategies (name) WHERE deleted = 0;
      CREATE INDEX ix_strategies_goal_id ON strategies (goal_id);

      CREATE TABLE audit_templates (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_audit_templates PRIMARY KEY,
        uuid uuid NOT NULL,
        name text NOT NULL,
        description text,
        goal_id bigint NOT NULL CONSTRAINT fk_audit_templates_goal_id REFERENCES goals (id),
        strategy_id bigint CONSTRAINT fk_audit_templates_strategy_id REFERENCES strategies (id),
        scope jsonb NOT NULL DEFAULT '[]',
        default_parameters json NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0
      );
      CREATE UNIQUE INDEX uq_audit_templates_uuid ON audit_templates (uuid);
      CREATE UNIQUE INDEX uq_audit_templates_name ON audit_templates (name) WHERE deleted = 0;
      CREATE INDEX ix_audit_templates_goal_id ON audit_templates (goal_id);
      CREATE INDEX ix_audit_templates_strategy_id ON audit_templates (strategy_id);

      CREATE TABLE audits (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_audits PRIMARY KEY,
        uuid uuid NOT NULL,
        name text NOT NULL,
        audit_type text NOT NULL,
        state text NOT NULL DEFAULT 'PENDING',
        parameters json NOT NULL DEFAULT '{}',
        "interval" text,
        goal_id bigint NOT NULL CONSTRAINT fk_audits_goal_id REFERENCES goals (id),
        strategy_id bigint CONSTRAINT fk_audits_strategy_id REFERENCES strategies (id),
        scope jsonb NOT NULL DEFAULT '[]',
        auto_trigger boolean NOT NULL DEFAULT false,
        next_run_time timestamptz,
        hostname text,
        start_time timestamptz,
        end_time timestamptz,
        force boolean NOT NULL DEFAULT false,
        status_message text,
        run_instance text,
        fence bigint,
        lease_expires_at timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        report jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0,
        failed_runs integer NOT NULL DEFAULT 0,
        last_run_at timestamptz,
        traceparent text
      );
      CREATE UNIQUE INDEX uq_audits_uuid ON audits (uuid);
      CREATE UNIQUE INDEX uq_audits_name ON audits (name) WHERE deleted = 0;
      CREATE INDEX ix_audits_goal_id ON audits (goal_id);
      CREATE INDEX ix_audits_strategy_id ON audits (strategy_id);
      CREATE INDEX ix_audits_open ON audits (state) WHERE deleted = 0 AND state IN ('PENDING', 'ONGOING');

      CREATE TABLE action_plans (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_action_plans PRIMARY KEY,
        uuid uuid NOT NULL,
        audit_id bigint NOT NULL CONSTRAINT fk_action_plans_audit_id REFERENCES audits (id),
        strategy_id bigint NOT NULL CONSTRAINT fk_action_plans_strategy_id REFERENCES strategies (id),
        state text NOT NULL DEFAULT 'RECOMMENDED',
        global_efficacy jsonb NOT NULL DEFAULT '[]',
        hostname text,
        status_message text,
        on_failure text NOT NULL DEFAULT 'continue',
        rollback_state text,
        rollback_message text,
        launch_seq integer NOT NULL DEFAULT 0,
        run_instance text,
        fence bigint,
        lease_expires_at timestamptz,
        outcome jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0,
        paused boolean NOT NULL DEFAULT false,
        abort_running boolean NOT NULL DEFAULT false,
        hold_until timestamptz,
        window_start timestamptz,
        window_end timestamptz,
        window_cron text,
        window_seconds integer,
        max_workers integer,
        max_migrations integer,
        rolls_back uuid,
        traceparent text
      );
      CREATE UNIQUE INDEX uq_action_plans_uuid ON action_plans (uuid);
      CREATE INDEX ix_action_plans_audit_id ON action_plans (audit_id);
      CREATE INDEX ix_action_plans_strategy_id ON action_plans (strategy_id);
      CREATE INDEX ix_action_plans_open ON action_plans (state)
        WHERE deleted = 0 AND state IN ('PENDING', 'ONGOING', 'CANCELLING');
      CREATE INDEX ix_action_plans_rolls_back ON action_plans (rolls_back);
      CREATE UNIQUE INDEX uq_action_plans_open_rollback ON action_plans (rolls_back)
        WHERE deleted = 0 AND state IN ('RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED');

      CREATE TABLE actions (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_actions PRIMARY KEY,
        uuid uuid NOT NULL,
        action_plan_id bigint NOT NULL CONSTRAINT fk_actions_action_plan_id REFERENCES action_plans (id),
        action_type text NOT NULL,
        input_parameters jsonb NOT NULL,
        state text NOT NULL DEFAULT 'PENDING',
        parents jsonb NOT NULL DEFAULT '[]',
        status_message text,
        reason jsonb,
        rollback_state text,
        rollback_message text,
        started_at timestamptz,
        ended_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0,
        end_reason text
      );
      CREATE UNIQUE INDEX uq_actions_uuid ON actions (uuid);
      CREATE INDEX ix_actions_action_plan_id ON actions (action_plan_id);
      CREATE INDEX ix_actions_input_parameters ON actions USING gin (input_parameters jsonb_path_ops);

      CREATE TABLE efficacy_indicators (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_efficacy_indicators PRIMARY KEY,
        uuid uuid NOT NULL,
        name text NOT NULL,
        description text,
        unit text,
        value double precision NOT NULL,
        action_plan_id bigint NOT NULL CONSTRAINT fk_efficacy_indicators_action_plan_id REFERENCES action_plans (id),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0
      );
      CREATE UNIQUE INDEX uq_efficacy_indicators_uuid ON efficacy_indicators (uuid);
      CREATE INDEX ix_efficacy_indicators_action_plan_id ON efficacy_indicators (action_plan_id);

      CREATE TABLE scoring_engines (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_scoring_engines PRIMARY KEY,
        uuid uuid NOT NULL,
        name text NOT NULL,
        description text,
        metainfo text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0
      );
      CREATE UNIQUE INDEX uq_scoring_engines_uuid ON scoring_engines (uuid);
      CREATE UNIQUE INDEX uq_scoring_engines_name ON scoring_engines (name) WHERE deleted = 0;

      CREATE TABLE services (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_services PRIMARY KEY,
        name text NOT NULL,
        host text NOT NULL,
        last_seen_up timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0
      );
      CREATE UNIQUE INDEX uq_services_name_host ON services (name, host) WHERE deleted = 0;

      CREATE TABLE action_descriptions (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_action_descriptions PRIMARY KEY,
        action_type text NOT NULL,
        description text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0,
        revertible text
      );
      CREATE UNIQUE INDEX uq_action_descriptions_action_type ON action_descriptions (action_type);

      ${besidePlans}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE plan_objectives, plan_hosts, audit_variants, action_descriptions, services, scoring_engines, efficacy_indicators, actions,
        action_plans, audits, audit_templates, strategies, goals;
    `);
  }
}

/** Stored beside audits and plans: hosts, objectives, plans of other sizes. */
export const besidePlans = `CREATE TABLE audit_variants (
        audit_id bigint NOT NULL CONSTRAINT fk_audit_variants_audit_id REFERENCES audits (id),
        doc jsonb NOT NULL,
        CONSTRAINT pk_audit_variants PRIMARY KEY (audit_id)
      );

      CREATE TABLE plan_hosts (
        plan_id bigint NOT NULL CONSTRAINT fk_plan_hosts_plan_id REFERENCES action_plans (id),
        doc jsonb NOT NULL,
        CONSTRAINT pk_plan_hosts PRIMARY KEY (plan_id)
      );

      CREATE TABLE plan_objectives (
        plan_id bigint NOT NULL CONSTRAINT fk_plan_objectives_plan_id REFERENCES action_plans (id),
        doc jsonb NOT NULL,
        CONSTRAINT pk_plan_objectives PRIMARY KEY (plan_id)
      );`;
