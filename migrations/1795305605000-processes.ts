import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Running processes: fencing numbers and leases, registered instances with their loops, life-cycle events, requests to
 * stop or restart.
 */
export class Processes1795305605000 implements Migration {
  readonly name = 'Processes1795305605000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE fence_seq AS bigint;

      CREATE TABLE leases (
        resource text NOT NULL CONSTRAINT pk_leases PRIMARY KEY,
        holder text NOT NULL,
        fence bigint NOT NULL,
        expires_at timestamptz NOT NULL
      );

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
        lease_expires_at timestamptz NOT NULL,
        service_type text NOT NULL,
        config jsonb NOT NULL DEFAULT '{}',
        ended_at timestamptz,
        end_reason text,
        failed_checks integer NOT NULL DEFAULT 0,
        accepts_work boolean NOT NULL DEFAULT true
      );
      CREATE INDEX ix_service_instances_service_name ON service_instances (service_name, host);
      CREATE UNIQUE INDEX uq_service_instances_live ON service_instances (service_name, host) WHERE ended_at IS NULL;
      CREATE INDEX ix_service_instances_refused ON service_instances (instance_id) WHERE NOT accepts_work;

      CREATE TABLE process_loops (
        instance_id uuid NOT NULL,
        name text NOT NULL,
        every_ms integer NOT NULL,
        took_ms integer NOT NULL,
        last_run_at timestamptz NOT NULL,
        failures integer NOT NULL,
        last_error text,
        CONSTRAINT pk_process_loops PRIMARY KEY (instance_id, name),
        CONSTRAINT fk_process_loops_instance_id FOREIGN KEY (instance_id)
          REFERENCES service_instances (instance_id) ON DELETE CASCADE
      );

      CREATE TABLE service_events (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_service_events PRIMARY KEY,
        dedupe_key text,
        type text NOT NULL,
        service_type text NOT NULL,
        service_name text NOT NULL,
        host text NOT NULL,
        instance_id uuid,
        doc jsonb NOT NULL DEFAULT '{}',
        at timestamptz NOT NULL DEFAULT now(),
        acknowledged_at timestamptz
      );
      CREATE UNIQUE INDEX uq_service_events_dedupe_key ON service_events (dedupe_key);
      CREATE INDEX ix_service_events_pending ON service_events (id) WHERE acknowledged_at IS NULL;
      CREATE INDEX ix_service_events_at ON service_events (at);

      CREATE TABLE service_requests (
        id uuid NOT NULL CONSTRAINT pk_service_requests PRIMARY KEY,
        kind text NOT NULL,
        service_name text NOT NULL,
        host text NOT NULL,
        instance_id uuid,
        state text NOT NULL DEFAULT 'PENDING',
        requested_by text NOT NULL,
        reason text,
        requested_at timestamptz NOT NULL DEFAULT now(),
        deadline_at timestamptz NOT NULL,
        ended_at timestamptz
      );
      CREATE UNIQUE INDEX uq_service_requests_pending ON service_requests (service_name, host) WHERE state = 'PENDING';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE service_requests, service_events, process_loops, service_instances, leases;
      DROP SEQUENCE fence_seq;
    `);
  }
}
