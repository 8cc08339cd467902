import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.ts';

/**
 * Where the database was seen last, and the row that probes write. `written_xid` is the transaction that wrote the row,
 * which a row that came by a dump does not have.
 */
export class StoreIdentity1795305613000 implements Migration {
  readonly name = 'StoreIdentity1795305613000';
  readonly isAdditive = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${storeLineage}

      CREATE TABLE store_probe (
        id integer NOT NULL CONSTRAINT pk_store_probe PRIMARY KEY,
        nonce text NOT NULL,
        written_at timestamptz NOT NULL DEFAULT now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE store_probe, store_lineage;
    `);
  }
}

/** Where the database was seen last. */
export const storeLineage = `CREATE TABLE store_lineage (
        id integer NOT NULL CONSTRAINT pk_store_lineage PRIMARY KEY,
        written_xid text NOT NULL,
        system_identifier text NOT NULL,
        database_oid bigint NOT NULL,
        timeline text NOT NULL,
        verdict text NOT NULL,
        at timestamptz NOT NULL DEFAULT now()
      );`;
