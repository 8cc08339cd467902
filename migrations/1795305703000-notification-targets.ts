import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Receivers of notifications about plans and the machine, the events, and the delivery of each event to each target.
 * Secrets are in a separate table, which only the sender reads and `vigil db grants --read-only` leaves out.
 * `notification_events.key` lets an event occur once. Processes of the release before send nothing.
 */
export class NotificationTargets1795305703000 implements Migration {
  readonly name = 'NotificationTargets1795305703000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notification_targets (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_notification_targets PRIMARY KEY,
        uuid uuid NOT NULL CONSTRAINT uq_notification_targets_uuid UNIQUE,
        name text NOT NULL CONSTRAINT uq_notification_targets_name UNIQUE,
        source text NOT NULL,
        shown_url text NOT NULL,
        format text NOT NULL,
        kinds text[],
        enabled boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz,
        rotated_at timestamptz,
        delivered_at timestamptz
      );

      CREATE TABLE notification_secrets (
        target_id bigint NOT NULL CONSTRAINT fk_notification_secrets_target_id
          REFERENCES notification_targets (id) ON DELETE CASCADE,
        url text NOT NULL,
        secret text NOT NULL,
        bearer_token text,
        CONSTRAINT pk_notification_secrets PRIMARY KEY (target_id)
      );

      CREATE TABLE notification_events (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_notification_events PRIMARY KEY,
        uuid uuid NOT NULL CONSTRAINT uq_notification_events_uuid UNIQUE,
        key text NOT NULL CONSTRAINT uq_notification_events_key UNIQUE,
        kind text NOT NULL,
        subject text NOT NULL,
        data jsonb NOT NULL,
        at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX ix_notification_events_at ON notification_events (at);

      CREATE TABLE notification_deliveries (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_notification_deliveries PRIMARY KEY,
        uuid uuid NOT NULL CONSTRAINT uq_notification_deliveries_uuid UNIQUE,
        event_id bigint NOT NULL CONSTRAINT fk_notification_deliveries_event_id
          REFERENCES notification_events (id) ON DELETE CASCADE,
        target_id bigint NOT NULL CONSTRAINT fk_notification_deliveries_target_id
          REFERENCES notification_targets (id) ON DELETE CASCADE,
        state text NOT NULL DEFAULT 'PENDING',
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        attempted_at timestamptz,
        status_code integer,
        reason text,
        ended_at timestamptz,
        resent_by text,
        resent_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT uq_notification_deliveries_event_target UNIQUE (event_id, target_id)
      );
      CREATE INDEX ix_notification_deliveries_due ON notification_deliveries (target_id, next_attempt_at)
        WHERE state = 'PENDING';
      CREATE INDEX ix_notification_deliveries_target ON notification_deliveries (target_id, id);
      CREATE INDEX ix_notification_deliveries_created ON notification_deliveries (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE notification_deliveries, notification_events, notification_secrets, notification_targets;
    `);
  }
}
