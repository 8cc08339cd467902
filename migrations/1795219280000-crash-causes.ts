import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How a process ended while it did some work, and whether it did anything else then. */
export class CrashCauses1795219280000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE work_crashes
        ADD COLUMN cause text NOT NULL DEFAULT 'exception',
        ADD COLUMN alone boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE work_crashes DROP COLUMN cause, DROP COLUMN alone');
  }
}
