import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Adds `action_plans.window_zone`: the time zone of a repeated window.
 *
 * The value is an IANA name, such as `Europe/Berlin`. Null means UTC, as for all plans of releases before. The API
 * checks the name, because PostgreSQL and the runtime of the appliers may know other versions of the zone database.
 *
 * Appliers of the release before ignore the column: they take such a window as UTC. A zone unknown to the applier has
 * no window, so the plan fails with that reason.
 *
 * The column is text, because a new version of the zone database adds and renames zones.
 */
export class WindowZone1795305743000 implements Migration {
  readonly name = 'WindowZone1795305743000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE action_plans ADD COLUMN window_zone text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE action_plans DROP COLUMN window_zone');
  }
}
