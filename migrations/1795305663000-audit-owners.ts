import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * The user that set `auto_trigger`, and whether the policy refuses `action_plan:start` to that user. Processes of the
 * release before leave the defaults: an audit without a user starts its plans as before.
 */
export class AuditOwners1795305663000 implements Migration {
  readonly name = 'AuditOwners1795305663000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audits ADD COLUMN auto_trigger_user jsonb;
      ALTER TABLE audits ADD COLUMN auto_trigger_refused boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audits DROP COLUMN auto_trigger_refused;
      ALTER TABLE audits DROP COLUMN auto_trigger_user;
    `);
  }
}
