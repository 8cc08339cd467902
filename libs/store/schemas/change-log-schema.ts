import { EntitySchema } from 'typeorm';
import type { ChangeRow } from '../work-contract.ts';
import { bigint, identity, integer, jsonb, text, timeOfInsert } from './columns.ts';

/** A logged change; `epoch` and `revno` are null until it is numbered. */
export type StoredChangeRow = Omit<ChangeRow, 'epoch' | 'revno'> & {
  id: number;
  epoch: number | null;
  revno: number | null;
};

/** Table `change_log`. */
export const changeLogSchema = new EntitySchema<StoredChangeRow>({
  name: 'ChangeLogEntry',
  tableName: 'change_log',
  columns: {
    id: identity('change_log'),
    epoch: bigint('epoch', { nullable: true }),
    revno: bigint('revno', { nullable: true }),
    kind: text('kind'),
    entityUuid: text('entity_uuid'),
    op: text('op'),
    doc: jsonb('doc', { nullable: true }),
    at: timeOfInsert('at'),
    oldState: text('old_state', { nullable: true }),
    runPhase: text('run_phase', { nullable: true }),
  },
  indices: [
    { name: 'uq_change_log_revno', columns: ['epoch', 'revno'], unique: true, where: 'revno IS NOT NULL' },
    { name: 'ix_change_log_unnumbered', columns: ['id'], where: 'revno IS NULL' },
    { name: 'ix_change_log_at', columns: ['at'] },
  ],
});

/** The epoch of the change log and the newest number given in it; one row, `id` 1. */
export interface ChangeLogHeadRow {
  id: number;
  epoch: number;
  revno: number;
}

/** Table `change_log_head`. */
export const changeLogHeadSchema = new EntitySchema<ChangeLogHeadRow>({
  name: 'ChangeLogHead',
  tableName: 'change_log_head',
  columns: {
    id: integer('id', { primary: true, primaryKeyConstraintName: 'pk_change_log_head' }),
    epoch: bigint('epoch'),
    revno: bigint('revno'),
  },
});
