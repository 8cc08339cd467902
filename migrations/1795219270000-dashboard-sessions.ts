import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of people who have signed in to the dashboard. Neither session ids nor tokens are kept readable. */
export class DashboardSessions1795219270000 implements MigrationInterface {
  readonly name = 'DashboardSessions1795219270000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE dashboard_sessions (
        id_hash text NOT NULL,
        sealed_token text NOT NULL,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_dashboard_sessions PRIMARY KEY (id_hash)
      );
      CREATE INDEX ix_dashboard_sessions_expires_at ON dashboard_sessions (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dashboard_sessions');
  }
}
