import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

const fields = `uuid, at, request_id, global_request_id, user_id, user_name, project_id, project_name, roles, address,
          method, route, operation, target_kind, target, status, summary`;
const types = `uuid uuid, at timestamptz, request_id text, global_request_id text, user_id text, user_name text,
          project_id text, project_name text, roles jsonb, address text, method text, route text, operation text,
          target_kind text, target text, status integer, summary text`;

/**
 * A chain of hashes over the audit log, and the old and new values of a change. The functions run as the owner of the
 * tables, so that the role of the processes needs no right to change or remove entries.
 */
export class AuditLogChain1795305673000 implements Migration {
  readonly name = 'AuditLogChain1795305673000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_log ADD COLUMN changes jsonb;
      ALTER TABLE audit_log ADD COLUMN seal_number bigint;
      ALTER TABLE audit_log ADD COLUMN seal bytea;
      ALTER TABLE audit_log ADD COLUMN recorded_at timestamptz NOT NULL DEFAULT now();
      CREATE INDEX ix_audit_log_seal_number ON audit_log (seal_number);
      CREATE INDEX ix_audit_log_unsealed ON audit_log (id) WHERE seal IS NULL;

      CREATE TABLE audit_log_chain (
        id integer NOT NULL DEFAULT 1 CONSTRAINT pk_audit_log_chain PRIMARY KEY CHECK (id = 1),
        first_number bigint NOT NULL DEFAULT 1,
        seal_before bytea NOT NULL DEFAULT '\\x',
        last_number bigint NOT NULL DEFAULT 0,
        last_seal bytea NOT NULL DEFAULT '\\x',
        least_keep_seconds double precision NOT NULL DEFAULT 7776000
      );
      INSERT INTO audit_log_chain DEFAULT VALUES;
    `);
    await runner.query(recordWith(`${fields}, changes`, `${types}, changes jsonb`, 'WHERE known.seal IS NULL'));
    await runner.query(functions);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION forget_requests(double precision, integer);
      DROP FUNCTION seal_requests(integer);
      DROP FUNCTION audit_log_content(audit_log);
      DROP TABLE audit_log_chain;
    `);
    await runner.query(recordWith(fields, types, ''));
    await runner.query(`
      ALTER FUNCTION record_requests(jsonb) SECURITY INVOKER;
      ALTER FUNCTION record_requests(jsonb) RESET search_path;
      ALTER TABLE audit_log DROP COLUMN recorded_at;
      ALTER TABLE audit_log DROP COLUMN seal;
      ALTER TABLE audit_log DROP COLUMN seal_number;
      ALTER TABLE audit_log DROP COLUMN changes;
    `);
  }
}

/** The login role may write audits. Readers may execute functions too. */
const refuseReaders = `IF NOT has_table_privilege(session_user, 'audits', 'INSERT') THEN
          RAISE insufficient_privilege;
        END IF;`;

function recordWith(names: string, columns: string, where: string): string {
  return `
      CREATE OR REPLACE FUNCTION record_requests(entries jsonb) RETURNS boolean LANGUAGE plpgsql
      SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '250ms' AS $$
      BEGIN
        ${refuseReaders}
        INSERT INTO audit_log AS known (${names})
        SELECT ${names}
        FROM jsonb_to_recordset(entries) AS entry (${columns})
        ON CONFLICT (uuid) DO UPDATE
          SET status = coalesce(excluded.status, known.status), target = coalesce(excluded.target, known.target)
          ${where};
        RETURN true;
      EXCEPTION WHEN OTHERS THEN
        RETURN false;
      END $$;`;
}

/** Entries without an outcome are sealed after ten minutes of the database's time: no process will complete them. */
const functions = `
      CREATE FUNCTION audit_log_content(entry audit_log) RETURNS bytea LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
        SELECT convert_to(jsonb_build_array(entry.seal_number, entry.uuid, entry.at, entry.request_id,
          entry.global_request_id, entry.user_id, entry.user_name, entry.project_id, entry.project_name, entry.roles,
          entry.address, entry.method, entry.route, entry.operation, entry.target_kind, entry.target, entry.status,
          entry.summary, entry.changes)::text, 'UTF8')
      $$;

      CREATE FUNCTION seal_requests(most integer) RETURNS integer LANGUAGE plpgsql
      SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
      DECLARE
        chain audit_log_chain;
        entry audit_log;
        sealed integer := 0;
      BEGIN
        ${refuseReaders}
        IF NOT pg_try_advisory_xact_lock(hashtext('vigil audit log chain')) THEN
          RETURN 0;
        END IF;
        SELECT * INTO chain FROM audit_log_chain FOR UPDATE;
        FOR entry IN
          SELECT * FROM audit_log
          WHERE seal IS NULL AND (status IS NOT NULL OR recorded_at < now() - interval '10 minutes')
          ORDER BY id LIMIT most FOR UPDATE SKIP LOCKED
        LOOP
          chain.last_number := chain.last_number + 1;
          entry.seal_number := chain.last_number;
          chain.last_seal := sha256(chain.last_seal || audit_log_content(entry));
          UPDATE audit_log SET seal_number = chain.last_number, seal = chain.last_seal WHERE id = entry.id;
          sealed := sealed + 1;
        END LOOP;
        IF sealed > 0 THEN
          UPDATE audit_log_chain SET last_number = chain.last_number, last_seal = chain.last_seal;
        END IF;
        RETURN sealed;
      END $$;

      CREATE FUNCTION forget_requests(age_seconds double precision, most integer) RETURNS integer LANGUAGE plpgsql
      SECURITY DEFINER SET search_path = public, pg_temp AS $$
      DECLARE
        chain audit_log_chain;
        expired timestamptz;
        kept bigint;
        last_removed audit_log;
        removed integer;
      BEGIN
        ${refuseReaders}
        PERFORM pg_advisory_xact_lock(hashtext('vigil audit log chain'));
        SELECT * INTO chain FROM audit_log_chain FOR UPDATE;
        expired := now() - interval '1 second' * CASE WHEN pg_has_role(session_user, current_user, 'MEMBER')
          THEN age_seconds ELSE greatest(age_seconds, chain.least_keep_seconds) END;
        SELECT min(seal_number) INTO kept FROM audit_log WHERE at >= expired;
        SELECT * INTO last_removed FROM audit_log
          WHERE seal_number < least(chain.first_number + most, coalesce(kept, chain.last_number + 1))
          ORDER BY seal_number DESC LIMIT 1;
        IF last_removed.id IS NULL THEN
          RETURN 0;
        END IF;
        DELETE FROM audit_log WHERE seal_number <= last_removed.seal_number;
        GET DIAGNOSTICS removed = ROW_COUNT;
        UPDATE audit_log_chain SET first_number = last_removed.seal_number + 1, seal_before = last_removed.seal;
        RETURN removed;
      END $$;`;
