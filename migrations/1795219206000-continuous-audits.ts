import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Back-off of CONTINUOUS audits, and what processes report of broken plugins. */
export class ContinuousAudits1795219206000 implements MigrationInterface {
  readonly name = 'ContinuousAudits1795219206000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audits ADD COLUMN failed_runs integer NOT NULL DEFAULT 0;

      CREATE TABLE plugin_faults (
        service_name text NOT NULL,
        host text NOT NULL,
        plugin text NOT NULL,
        reason text NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_plugin_faults PRIMARY KEY (service_name, host, plugin)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE plugin_faults;
      ALTER TABLE audits DROP COLUMN failed_runs;
    `);
  }
}
