import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Approval of action plans by a second person, and the users that requested audits and plans.
 * Processes of the release before leave the columns empty: their plans are judged by the rules when they start.
 */
export class PlanApprovals1795305713000 implements Migration {
  readonly name = 'PlanApprovals1795305713000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audits ADD COLUMN requester jsonb;
      ALTER TABLE action_plans ADD COLUMN requester jsonb;
      ALTER TABLE action_plans ADD COLUMN approval text;
      ALTER TABLE action_plans ADD COLUMN approval_reason text;
      ALTER TABLE action_plans ADD COLUMN approval_by jsonb;
      ALTER TABLE action_plans ADD COLUMN approval_at timestamptz;
      ALTER TABLE action_plans ADD COLUMN approval_comment text;
      ALTER TABLE action_plans ADD COLUMN approval_void text;
      ALTER TABLE action_plans ADD COLUMN starts_when_approved boolean NOT NULL DEFAULT false;
      CREATE INDEX ix_action_plans_approval ON action_plans (approval)
        WHERE deleted = 0 AND state = 'RECOMMENDED' AND approval IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ix_action_plans_approval;
      ALTER TABLE action_plans DROP COLUMN starts_when_approved;
      ALTER TABLE action_plans DROP COLUMN approval_void;
      ALTER TABLE action_plans DROP COLUMN approval_comment;
      ALTER TABLE action_plans DROP COLUMN approval_at;
      ALTER TABLE action_plans DROP COLUMN approval_by;
      ALTER TABLE action_plans DROP COLUMN approval_reason;
      ALTER TABLE action_plans DROP COLUMN approval;
      ALTER TABLE action_plans DROP COLUMN requester;
      ALTER TABLE audits DROP COLUMN requester;
    `);
  }
}
