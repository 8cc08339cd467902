import type { EntitySchemaColumnOptions, EntitySchemaIndexOptions } from 'typeorm';

type ColumnPart = Partial<EntitySchemaColumnOptions>;

/** A `text` column. */
export function text(name: string, part: ColumnPart = {}): EntitySchemaColumnOptions {
  return { name, type: 'text', ...part };
}

/** A `uuid` column. */
export function uuid(name: string, part: ColumnPart = {}): EntitySchemaColumnOptions {
  return { name, type: 'uuid', ...part };
}

/** A `jsonb` column. */
export function jsonb(name: string, part: ColumnPart = {}): EntitySchemaColumnOptions {
  return { name, type: 'jsonb', ...part };
}

/** A `json` column, which keeps the order of keys. It cannot be compared or indexed. */
export function json(name: string, part: ColumnPart = {}): EntitySchemaColumnOptions {
  return { name, type: 'json', ...part };
}

/** A `timestamptz` column. */
export function time(name: string, part: ColumnPart = {}): EntitySchemaColumnOptions {
  return { name, type: 'timestamptz', ...part };
}

/** A time that the database sets on insert. */
export function timeOfInsert(name: string): EntitySchemaColumnOptions {
  return time(name, { default: () => 'now()' });
}

/** A `bigint` column. The pool reads these as numbers. */
function bigint(name: string, part: ColumnPart = {}): EntitySchemaColumnOptions {
  return { name, type: 'bigint', ...part };
}

/** An `integer` column. */
export function integer(name: string, part: ColumnPart = {}): EntitySchemaColumnOptions {
  return { name, type: 'integer', ...part };
}

/** A `boolean` column that is false by default. */
export function flag(name: string): EntitySchemaColumnOptions {
  return { name, type: 'boolean', default: false };
}

/** A `bigint` column that refers to the `id` of another table. The key is named `fk_<table>_<column>`. */
export function reference(
  table: string,
  name: string,
  target: string,
  part: ColumnPart = {},
): EntitySchemaColumnOptions {
  return bigint(name, { foreignKey: { target, name: `fk_${table}_${name}` }, ...part });
}

/** The identity column `id` of `table`. */
function identity(table: string): EntitySchemaColumnOptions {
  return bigint('id', { primary: true, generated: 'increment', primaryKeyConstraintName: `pk_${table}` });
}

/** Columns of every entity but `uuid`. See `EntityBase`. */
export function lifeColumns(table: string) {
  return {
    id: identity(table),
    createdAt: timeOfInsert('created_at'),
    updatedAt: time('updated_at', { nullable: true }),
    deletedAt: time('deleted_at', { nullable: true }),
    deleted: bigint('deleted', { default: 0 }),
  };
}

/** Columns of every entity with a uuid. */
export function baseColumns(table: string) {
  return { ...lifeColumns(table), uuid: uuid('uuid') };
}

/** Columns of every entity with a uuid and a name that no other live row has. See `namedIndices`. */
export function namedColumns(table: string) {
  return { ...baseColumns(table), name: text('name') };
}

/** Indices of such a table. */
export function namedIndices(table: string): EntitySchemaIndexOptions[] {
  return [uniqueUuid(table), uniqueLiveName(table)];
}

/** Columns of an entity that a process can hold a lease on. */
export function leaseColumns() {
  return {
    hostname: text('hostname', { nullable: true }),
    runInstance: text('run_instance', { nullable: true }),
    fence: bigint('fence', { nullable: true }),
    leaseExpiresAt: time('lease_expires_at', { nullable: true }),
  };
}

/** The unique index on `uuid`. */
export function uniqueUuid(table: string): EntitySchemaIndexOptions {
  return { name: `uq_${table}_uuid`, columns: ['uuid'], unique: true };
}

/** The unique index on the names of live rows. */
export function uniqueLiveName(table: string): EntitySchemaIndexOptions {
  return { name: `uq_${table}_name`, columns: ['name'], unique: true, where: 'deleted = 0' };
}

/** A plain index on the column `column` that the property `property` stands for. */
export function indexOn(table: string, column: string, property: string): EntitySchemaIndexOptions {
  return { name: `ix_${table}_${column}`, columns: [property] };
}
