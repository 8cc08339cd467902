import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Levels of automation of audits, from 0 (only reports) to 3 (starts all plans within the budgets). Null: level 3 with
 * `auto_trigger`, else level 1. An audit of level 2 has `auto_trigger`, so that decision engines of the release before
 * start all of its plans. An API of the release before changes `auto_trigger` alone. A level that does not fit is
 * ignored then: `automationLevelOf` reads both columns.
 */
export class AutomationLevels1795305723000 implements Migration {
  readonly name = 'AutomationLevels1795305723000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audits ADD COLUMN automation_level integer;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audits DROP COLUMN automation_level;
    `);
  }
}
