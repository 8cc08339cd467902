import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Tokens of EVENT audits for notifications of alerts, the runs that alerts requested, and the part of the cloud that a
 * run and its plans are limited to. `audits.alert_run` is the run that was requested and has not ended. Processes of
 * the release before leave the columns empty and run the whole scope of the audit.
 */
export class AlertReceivers1795305693000 implements Migration {
  readonly name = 'AlertReceivers1795305693000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE alert_receivers (
        audit_id bigint NOT NULL CONSTRAINT fk_alert_receivers_audit_id REFERENCES audits (id) ON DELETE CASCADE,
        token_hash text NOT NULL,
        labels jsonb NOT NULL,
        repeat_seconds integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        rotated_at timestamptz,
        revoked_at timestamptz,
        used_at timestamptz,
        CONSTRAINT pk_alert_receivers PRIMARY KEY (audit_id)
      );

      CREATE TABLE alert_runs (
        uuid uuid NOT NULL,
        audit_id bigint NOT NULL CONSTRAINT fk_alert_runs_audit_id REFERENCES audits (id) ON DELETE CASCADE,
        group_hash text NOT NULL,
        scope jsonb,
        received_at timestamptz NOT NULL DEFAULT now(),
        started_at timestamptz,
        CONSTRAINT pk_alert_runs PRIMARY KEY (uuid)
      );
      CREATE INDEX ix_alert_runs_group ON alert_runs (audit_id, group_hash, received_at);
      CREATE UNIQUE INDEX uq_alert_runs_queued ON alert_runs (audit_id) WHERE started_at IS NULL;

      ALTER TABLE audits ADD COLUMN alert_run uuid;
      ALTER TABLE audits ADD COLUMN alert_scope jsonb;
      ALTER TABLE action_plans ADD COLUMN alert_scope jsonb;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE action_plans DROP COLUMN alert_scope;
      ALTER TABLE audits DROP COLUMN alert_scope;
      ALTER TABLE audits DROP COLUMN alert_run;
      DROP TABLE alert_runs, alert_receivers;
    `);
  }
}
