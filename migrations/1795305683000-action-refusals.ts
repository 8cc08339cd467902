import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Adds `actions.refusal`: the kind of reason for which a service of the cloud refused an action. Every decision engine
 * leaves such moves out for a while. Older processes leave it empty.
 */
export class ActionRefusals1795305683000 implements Migration {
  readonly name = 'ActionRefusals1795305683000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE actions ADD COLUMN refusal text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE actions DROP COLUMN refusal');
  }
}
