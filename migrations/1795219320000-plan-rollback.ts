import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Action plans that undo another one; of each plan at most one at a time. */
export class PlanRollback1795219320000 implements MigrationInterface {
  readonly name = 'PlanRollback1795219320000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE action_plans ADD COLUMN rolls_back uuid;
      CREATE INDEX ix_action_plans_rolls_back ON action_plans (rolls_back);
      CREATE UNIQUE INDEX uq_action_plans_open_rollback ON action_plans (rolls_back)
        WHERE deleted = 0 AND state IN ('RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE action_plans DROP COLUMN rolls_back');
  }
}
