import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * The entity that a request with an idempotency key made or changed. A repeated request gets it in its response
 * when the first response was lost. Processes of the previous release leave it empty.
 */
export class IdempotentEntities1795305623000 implements Migration {
  readonly name = 'IdempotentEntities1795305623000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE idempotency_keys ADD COLUMN entity_uuid uuid;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE idempotency_keys DROP COLUMN entity_uuid;
    `);
  }
}
