import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each process has loaded, and which package or folder it is from. */
export class LoadedPlugins1795219250000 implements MigrationInterface {
  readonly name = 'LoadedPlugins1795219250000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE loaded_plugins (
        service_name text NOT NULL,
        host text NOT NULL,
        kind text NOT NULL,
        name text NOT NULL,
        origin text NOT NULL,
        CONSTRAINT pk_loaded_plugins PRIMARY KEY (service_name, host, kind, name)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE loaded_plugins');
  }
}
