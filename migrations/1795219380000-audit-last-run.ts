import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the last run of a continuous audit ended; unknown for those that have run before. */
export class AuditLastRun1795219380000 implements MigrationInterface {
  readonly name = 'AuditLastRun1795219380000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audits ADD COLUMN last_run_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audits DROP COLUMN last_run_at');
  }
}
