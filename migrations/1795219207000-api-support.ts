import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The order of keys in parameter schemas is kept; requests with an idempotency key are remembered. */
export class ApiSupport1795219207000 implements MigrationInterface {
  readonly name = 'ApiSupport1795219207000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE strategies ALTER COLUMN parameters_spec TYPE json USING parameters_spec::json;

      CREATE TABLE idempotency_keys (
        caller text NOT NULL,
        key text NOT NULL,
        request_hash text NOT NULL,
        status integer,
        headers json,
        body text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_idempotency_keys PRIMARY KEY (caller, key)
      );
      CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE idempotency_keys;
      ALTER TABLE strategies ALTER COLUMN parameters_spec TYPE jsonb USING parameters_spec::jsonb;
    `);
  }
}
