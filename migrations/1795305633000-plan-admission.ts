import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Versions of hosts, the hosts of each action plan with the versions that it relies on, and the operator's
 * confirmation of a stale plan. Plans of the previous release have no rows: their age is unknown.
 */
export class PlanAdmission1795305633000 implements Migration {
  readonly name = 'PlanAdmission1795305633000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE host_versions (
        hostname text NOT NULL,
        version bigint NOT NULL,
        fingerprint text,
        seen_at timestamptz NOT NULL,
        changed_at timestamptz NOT NULL,
        CONSTRAINT pk_host_versions PRIMARY KEY (hostname)
      );

      CREATE TABLE plan_host_versions (
        plan_id bigint NOT NULL CONSTRAINT fk_plan_host_versions_plan_id REFERENCES action_plans (id),
        hostname text NOT NULL,
        version bigint,
        CONSTRAINT pk_plan_host_versions PRIMARY KEY (plan_id, hostname)
      );
      CREATE INDEX ix_plan_host_versions_hostname ON plan_host_versions (hostname);

      ALTER TABLE action_plans ADD COLUMN force_stale boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE action_plans DROP COLUMN force_stale;
      DROP TABLE plan_host_versions, host_versions;
    `);
  }
}
