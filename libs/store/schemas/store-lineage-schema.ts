import { EntitySchema } from 'typeorm';
import { bigint, integer, text, timeOfInsert } from './columns.ts';

/** Where the database was seen last; one row, `id` 1. */
export interface StoreLineageRow {
  id: number;
  writtenXid: string;
  systemIdentifier: string;
  databaseOid: number;
  timeline: string;
  verdict: string;
  at: Date;
}

/** Table `store_lineage`. */
export const storeLineageSchema = new EntitySchema<StoreLineageRow>({
  name: 'StoreLineage',
  tableName: 'store_lineage',
  columns: {
    id: integer('id', { primary: true, primaryKeyConstraintName: 'pk_store_lineage' }),
    writtenXid: text('written_xid'),
    systemIdentifier: text('system_identifier'),
    databaseOid: bigint('database_oid'),
    timeline: text('timeline'),
    verdict: text('verdict'),
    at: timeOfInsert('at'),
  },
});
