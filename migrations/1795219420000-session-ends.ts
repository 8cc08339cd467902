import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `expires_at` moves with the use of a session; `ends_at` is where it ends at the latest. */
export class SessionEnds1795219420000 implements MigrationInterface {
  readonly name = 'SessionEnds1795219420000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The default is for processes of the release before, which go on adding rows during an upgrade.
      ALTER TABLE dashboard_sessions ADD COLUMN ends_at timestamptz NOT NULL DEFAULT now() + interval '12 hours';
      UPDATE dashboard_sessions SET ends_at = expires_at;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dashboard_sessions DROP COLUMN ends_at');
  }
}
