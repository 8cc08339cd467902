import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who ran a failed task again. */
export class TaskRedrives1795219281000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tasks ADD COLUMN redriven_by text, ADD COLUMN redriven_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tasks DROP COLUMN redriven_by, DROP COLUMN redriven_at');
  }
}
