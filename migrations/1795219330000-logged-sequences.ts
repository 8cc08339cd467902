import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The rows of unlogged tables are not worth keeping through a crash or the promotion of a standby; the sequences of their
 * numbers are: PostgreSQL may leave one that is not in its log unreadable, and then nothing can be inserted any more.
 */
export class LoggedSequences1795219330000 implements MigrationInterface {
  readonly name = 'LoggedSequences1795219330000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER SEQUENCE dynamic_invalidations_id_seq SET LOGGED;
      ALTER SEQUENCE bus_notes_id_seq SET LOGGED;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER SEQUENCE bus_notes_id_seq SET UNLOGGED;
      ALTER SEQUENCE dynamic_invalidations_id_seq SET UNLOGGED;
    `);
  }
}
