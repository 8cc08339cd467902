import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Which entity a request with an idempotency key has made or changed: what answers a repeated request when the response
 * to the first one was lost. Processes of the release before leave it empty.
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
