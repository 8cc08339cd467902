import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables under the work of several processes: messages, leases, run history, journal, registry. */
export class WorkTables1795219201000 implements MigrationInterface {
  readonly name = 'WorkTables1795219201000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE fence_seq AS bigint;

      CREATE TABLE outbox (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_outbox PRIMARY KEY,
        event_id uuid NOT NULL,
        type text NOT NULL,
        body jsonb NOT NULL,
        request_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        published_at timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        last_error text,
        next_attempt_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX uq_outbox_event_id ON outbox (event_id);
      CREATE INDEX ix_outbox_unpublished ON outbox (id) WHERE published_at IS NULL;
      CREATE INDEX ix_outbox_published_at ON outbox (published_at) WHERE published_at IS NOT NULL;

      CREATE FUNCTION notify_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('vigil_outbox', '');
        RETURN NULL;
      END $$;
      CREATE TRIGGER outbox_added AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION notify_outbox();

      CREATE TABLE inbox (
        consumer text NOT NULL,
        message_id uuid NOT NULL,
        processed_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_inbox PRIMARY KEY (consumer, message_id)
      );
      CREATE INDEX ix_inbox_processed_at ON inbox (processed_at);

      CREATE TABLE leases (
        resource text NOT NULL CONSTRAINT pk_leases PRIMARY KEY,
        holder text NOT NULL,
        fence bigint NOT NULL,
        expires_at timestamptz NOT NULL
      );

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

      CREATE TABLE service_instances (
        instance_id uuid NOT NULL CONSTRAINT pk_service_instances PRIMARY KEY,
        service_name text NOT NULL,
        host text NOT NULL,
        pid integer NOT NULL,
        version text NOT NULL,
        state text NOT NULL,
        config_hash text,
        fence bigint NOT NULL DEFAULT nextval('fence_seq'),
        started_at timestamptz NOT NULL DEFAULT now(),
        last_seen_at timestamptz NOT NULL DEFAULT now(),
        lease_expires_at timestamptz NOT NULL
      );
      CREATE INDEX ix_service_instances_service_name ON service_instances (service_name, host);

      CREATE TABLE store_probe (
        id integer NOT NULL CONSTRAINT pk_store_probe PRIMARY KEY,
        nonce text NOT NULL,
        written_at timestamptz NOT NULL DEFAULT now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE store_probe, service_instances, action_attempts, plan_runs, leases, inbox, outbox;
      DROP FUNCTION notify_outbox();
      DROP SEQUENCE fence_seq;
    `);
  }
}
