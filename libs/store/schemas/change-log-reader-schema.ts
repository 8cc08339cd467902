import { EntitySchema } from 'typeorm';
import { bigint, text } from './columns.ts';

/** How far a reader with a name has come in the change log. */
export interface ChangeLogReaderRow {
  name: string;
  epoch: number;
  revno: number;
}

/** Table `change_log_readers`. */
export const changeLogReaderSchema = new EntitySchema<ChangeLogReaderRow>({
  name: 'ChangeLogReader',
  tableName: 'change_log_readers',
  columns: {
    name: text('name', { primary: true, primaryKeyConstraintName: 'pk_change_log_readers' }),
    epoch: bigint('epoch'),
    revno: bigint('revno'),
  },
});
