import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Change requests and their users. `record_requests()` adds entries, or completes existing ones. An error in it
 * undoes only its own work, so that the transaction of the change continues. An entry shows in the change log once
 * its outcome is known.
 */
export class ApiRequests1795305610000 implements Migration {
  readonly name = 'ApiRequests1795305610000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        caller text NOT NULL,
        key text NOT NULL,
        request_hash text NOT NULL,
        status integer,
        headers json,
        body text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_idempotency_keys PRIMARY KEY (caller, key)
      );
      CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at);

      CREATE TABLE dashboard_sessions (
        id_hash text NOT NULL,
        sealed_token text NOT NULL,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        ends_at timestamptz NOT NULL DEFAULT now() + interval '12 hours',
        CONSTRAINT pk_dashboard_sessions PRIMARY KEY (id_hash)
      );
      CREATE INDEX ix_dashboard_sessions_expires_at ON dashboard_sessions (expires_at);

      CREATE TABLE audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_audit_log PRIMARY KEY,
        uuid uuid NOT NULL,
        at timestamptz NOT NULL,
        request_id text NOT NULL,
        global_request_id text,
        user_id text,
        user_name text,
        project_id text,
        project_name text,
        roles jsonb NOT NULL,
        address text,
        method text NOT NULL,
        route text NOT NULL,
        operation text NOT NULL,
        target_kind text,
        target text,
        status integer,
        summary text NOT NULL
      );
      CREATE UNIQUE INDEX uq_audit_log_uuid ON audit_log (uuid);
      CREATE INDEX ix_audit_log_at ON audit_log (at);
      CREATE INDEX ix_audit_log_user_id ON audit_log (user_id);
      CREATE INDEX ix_audit_log_user_name ON audit_log (user_name);
      CREATE INDEX ix_audit_log_target ON audit_log (target);

      CREATE FUNCTION record_requests(entries jsonb) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '250ms' AS $$
      BEGIN
        INSERT INTO audit_log AS known (uuid, at, request_id, global_request_id, user_id, user_name, project_id,
          project_name, roles, address, method, route, operation, target_kind, target, status, summary)
        SELECT uuid, at, request_id, global_request_id, user_id, user_name, project_id,
          project_name, roles, address, method, route, operation, target_kind, target, status, summary
        FROM jsonb_to_recordset(entries) AS entry (uuid uuid, at timestamptz, request_id text, global_request_id text,
          user_id text, user_name text, project_id text, project_name text, roles jsonb, address text, method text,
          route text, operation text, target_kind text, target text, status integer, summary text)
        ON CONFLICT (uuid) DO UPDATE
          SET status = coalesce(excluded.status, known.status), target = coalesce(excluded.target, known.target);
        RETURN true;
      EXCEPTION WHEN OTHERS THEN
        RETURN false;
      END $$;

      CREATE FUNCTION tell_of_request() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO change_log (kind, entity_uuid, op) VALUES ('audit_log', NEW.uuid, 'create');
        RETURN NULL;
      END $$;
      CREATE TRIGGER audit_log_tell_new AFTER INSERT ON audit_log FOR EACH ROW
        WHEN (NEW.status IS NOT NULL) EXECUTE FUNCTION tell_of_request();
      CREATE TRIGGER audit_log_tell AFTER UPDATE ON audit_log FOR EACH ROW
        WHEN (OLD.status IS NULL AND NEW.status IS NOT NULL) EXECUTE FUNCTION tell_of_request();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit_log, dashboard_sessions, idempotency_keys;
      DROP FUNCTION tell_of_request();
      DROP FUNCTION record_requests(jsonb);
    `);
  }
}
