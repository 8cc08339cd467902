import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/** Background tasks, the names that exclusive ones occupy, schedules, and warnings about the configuration. */
export class Tasks1795305607000 implements Migration {
  readonly name = 'Tasks1795305607000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tasks (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_tasks PRIMARY KEY,
        uuid uuid NOT NULL,
        name text NOT NULL,
        args jsonb NOT NULL DEFAULT '{}',
        args_key text NOT NULL,
        queue text NOT NULL,
        mode text NOT NULL,
        flight_key text,
        extra_names text[] NOT NULL DEFAULT '{}',
        priority integer NOT NULL DEFAULT 0,
        state text NOT NULL DEFAULT 'QUEUED',
        run_after timestamptz NOT NULL DEFAULT now(),
        wait_until timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        max_attempts integer NOT NULL,
        timeout_seconds integer NOT NULL,
        single_timeout_seconds integer NOT NULL,
        created_by text NOT NULL,
        request_id text,
        schedule_name text,
        fire_time timestamptz,
        result jsonb,
        error jsonb,
        progress jsonb,
        hostname text,
        run_instance text,
        fence bigint,
        lease_expires_at timestamptz,
        started_at timestamptz,
        ended_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        deleted_at timestamptz,
        deleted bigint NOT NULL DEFAULT 0,
        redriven_by text,
        redriven_at timestamptz
      );
      CREATE UNIQUE INDEX uq_tasks_uuid ON tasks (uuid);
      -- One waits,
      CREATE UNIQUE INDEX uq_tasks_waiting ON tasks (name, args_key) WHERE state = 'QUEUED' AND flight_key IS NOT NULL;
      -- and one runs or is tried again later.
      CREATE UNIQUE INDEX uq_tasks_flight ON tasks (flight_key) WHERE state IN ('RUNNING', 'RETRYING');
      CREATE UNIQUE INDEX uq_tasks_firing ON tasks (schedule_name, fire_time);
      CREATE INDEX ix_tasks_due ON tasks (queue, run_after) WHERE state IN ('QUEUED', 'RETRYING', 'RUNNING');
      CREATE INDEX ix_tasks_state ON tasks (state, id);
      CREATE INDEX ix_tasks_ended_at ON tasks (ended_at);

      CREATE TABLE task_names (
        name text NOT NULL CONSTRAINT pk_task_names PRIMARY KEY,
        task_id bigint NOT NULL CONSTRAINT fk_task_names_task_id REFERENCES tasks (id) ON DELETE CASCADE
      );
      CREATE INDEX ix_task_names_task_id ON task_names (task_id);

      CREATE TABLE scheduled_tasks (
        name text NOT NULL CONSTRAINT pk_scheduled_tasks PRIMARY KEY,
        task text NOT NULL,
        cron text,
        timezone text NOT NULL DEFAULT 'UTC',
        args jsonb NOT NULL DEFAULT '{}',
        enabled boolean NOT NULL DEFAULT false,
        source text NOT NULL,
        misfire_policy text NOT NULL,
        max_jitter_seconds integer NOT NULL DEFAULT 0,
        last_fire_at timestamptz,
        next_fire_at timestamptz
      );

      CREATE TABLE config_warnings (
        source text NOT NULL,
        name text NOT NULL,
        reason text NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_config_warnings PRIMARY KEY (source, name)
      );

      CREATE FUNCTION tell_of_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('vigil_tasks', '');
        RETURN NULL;
      END $$;
      CREATE TRIGGER tasks_tell_new AFTER INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION tell_of_tasks();
      CREATE TRIGGER tasks_tell AFTER UPDATE ON tasks FOR EACH ROW
        WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION tell_of_tasks();
      CREATE TRIGGER tasks_touch BEFORE UPDATE ON tasks FOR EACH ROW EXECUTE FUNCTION touch_row();
      CREATE TRIGGER tasks_change AFTER INSERT OR UPDATE OR DELETE ON tasks
        FOR EACH ROW EXECUTE FUNCTION record_change('task', 'uuid');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE config_warnings, scheduled_tasks, task_names, tasks;
      DROP FUNCTION tell_of_tasks();
    `);
  }
}
