import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/** Plugins that each process has loaded, with the package or folder of each, and those that failed to load. */
export class Plugins1795305612000 implements Migration {
  readonly name = 'Plugins1795305612000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE loaded_plugins (
        service_name text NOT NULL,
        host text NOT NULL,
        kind text NOT NULL,
        name text NOT NULL,
        origin text NOT NULL,
        description text NOT NULL DEFAULT '',
        CONSTRAINT pk_loaded_plugins PRIMARY KEY (service_name, host, kind, name)
      );

      CREATE TABLE plugin_faults (
        service_name text NOT NULL,
        host text NOT NULL,
        plugin text NOT NULL,
        reason text NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_plugin_faults PRIMARY KEY (service_name, host, plugin)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE plugin_faults, loaded_plugins;
    `);
  }
}
