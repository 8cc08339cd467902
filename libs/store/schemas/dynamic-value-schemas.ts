import { EntitySchema } from 'typeorm';
import { bigint, identity, text, time, timeOfInsert, uuid } from './columns.ts';

/** A cached dynamic property. */
export interface DynamicValueRow {
  kind: string;
  entityId: string;
  name: string;
  valueId: string | null;
  value: string | null;
  mark: string | null;
  loadedAt: Date | null;
  expiresAt: Date | null;
  staleUntil: Date | null;
  error: string | null;
  errorCode: string | null;
  errorMark: string | null;
  errorUntil: Date | null;
  lockOwner: string | null;
  lockUntil: Date | null;
  touchedAt: Date;
}

/** A change that makes cached properties outdated; without a name all of the entity. */
export interface DynamicInvalidationRow {
  id: number;
  kind: string;
  entityId: string;
  name: string | null;
  token: number;
  at: Date;
}

const key = { primary: true, primaryKeyConstraintName: 'pk_dynamic_values' };
const nullable = { nullable: true };

/** Table `dynamic_values`. */
export const dynamicValueSchema = new EntitySchema<DynamicValueRow>({
  name: 'DynamicValue',
  tableName: 'dynamic_values',
  columns: {
    kind: text('kind', key),
    entityId: text('entity_id', key),
    name: text('name', key),
    valueId: uuid('value_id', nullable),
    value: text('value', nullable),
    mark: text('mark', nullable),
    loadedAt: time('loaded_at', nullable),
    expiresAt: time('expires_at', nullable),
    staleUntil: time('stale_until', nullable),
    error: text('error', nullable),
    errorCode: text('error_code', nullable),
    errorMark: text('error_mark', nullable),
    errorUntil: time('error_until', nullable),
    lockOwner: uuid('lock_owner', nullable),
    lockUntil: time('lock_until', nullable),
    touchedAt: timeOfInsert('touched_at'),
  },
  indices: [{ name: 'ix_dynamic_values_touched_at', columns: ['touchedAt'] }],
});

/** Table `dynamic_invalidations`. */
export const dynamicInvalidationSchema = new EntitySchema<DynamicInvalidationRow>({
  name: 'DynamicInvalidation',
  tableName: 'dynamic_invalidations',
  columns: {
    id: identity('dynamic_invalidations'),
    kind: text('kind'),
    entityId: text('entity_id'),
    name: text('name', nullable),
    token: bigint('token'),
    at: timeOfInsert('at'),
  },
  indices: [
    { name: 'ix_dynamic_invalidations_entity', columns: ['kind', 'entityId'] },
    { name: 'ix_dynamic_invalidations_at', columns: ['at'] },
  ],
});
