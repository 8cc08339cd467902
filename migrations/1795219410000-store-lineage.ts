import type { MigrationInterface, QueryRunner } from 'typeorm';

const openRollbacks = (states: string) => `
  DROP INDEX uq_action_plans_open_rollback;
  CREATE UNIQUE INDEX uq_action_plans_open_rollback ON action_plans (rolls_back) WHERE deleted = 0 AND state IN (${states});
`;

/**
 * Where the database lives, as it was seen last; `written_xid` is the transaction that wrote the row, which a row that came
 * by a dump does not have. A plan that is held after a restore is still open.
 */
export class StoreLineage1795219410000 implements MigrationInterface {
  readonly name = 'StoreLineage1795219410000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE store_lineage (
        id integer NOT NULL CONSTRAINT pk_store_lineage PRIMARY KEY,
        written_xid text NOT NULL,
        system_identifier text NOT NULL,
        database_oid bigint NOT NULL,
        timeline text NOT NULL,
        verdict text NOT NULL,
        at timestamptz NOT NULL DEFAULT now()
      );
      ${openRollbacks("'RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED'")}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE store_lineage;
      ${openRollbacks("'RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING'")}
      -- States that the schema before does not know.
      UPDATE action_plans SET state = 'PENDING', paused = true WHERE state = 'SUSPENDED';
    `);
  }
}
