import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The order of keys in parameters is kept: `zone_migration` reads priorities from it. */
export class ParameterOrder1795219209000 implements MigrationInterface {
  readonly name = 'ParameterOrder1795219209000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audits ALTER COLUMN parameters DROP DEFAULT;
      ALTER TABLE audits ALTER COLUMN parameters TYPE json USING parameters::json;
      ALTER TABLE audits ALTER COLUMN parameters SET DEFAULT '{}';
      ALTER TABLE audit_templates ALTER COLUMN default_parameters DROP DEFAULT;
      ALTER TABLE audit_templates ALTER COLUMN default_parameters TYPE json USING default_parameters::json;
      ALTER TABLE audit_templates ALTER COLUMN default_parameters SET DEFAULT '{}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_templates ALTER COLUMN default_parameters DROP DEFAULT;
      ALTER TABLE audit_templates ALTER COLUMN default_parameters TYPE jsonb USING default_parameters::jsonb;
      ALTER TABLE audit_templates ALTER COLUMN default_parameters SET DEFAULT '{}';
      ALTER TABLE audits ALTER COLUMN parameters DROP DEFAULT;
      ALTER TABLE audits ALTER COLUMN parameters TYPE jsonb USING parameters::jsonb;
      ALTER TABLE audits ALTER COLUMN parameters SET DEFAULT '{}';
    `);
  }
}
