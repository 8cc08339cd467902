import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each loaded plugin says of itself; empty until the process that has it starts anew. */
export class PluginDescriptions1795219361000 implements MigrationInterface {
  readonly name = 'PluginDescriptions1795219361000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE loaded_plugins ADD COLUMN description text NOT NULL DEFAULT ''`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE loaded_plugins DROP COLUMN description');
  }
}
