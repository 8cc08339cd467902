import { EntitySchema } from 'typeorm';
import { integer, text, timeOfInsert } from './columns.ts';

/** What the last probe wrote; one row, `id` 1. */
export interface StoreProbeRow {
  id: number;
  nonce: string;
  writtenAt: Date;
}

/** Table `store_probe`. */
export const storeProbeSchema = new EntitySchema<StoreProbeRow>({
  name: 'StoreProbe',
  tableName: 'store_probe',
  columns: {
    id: integer('id', { primary: true, primaryKeyConstraintName: 'pk_store_probe' }),
    nonce: text('nonce'),
    writtenAt: timeOfInsert('written_at'),
  },
});
