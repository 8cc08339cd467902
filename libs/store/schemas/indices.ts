import type { EntitySchemaIndexOptions } from 'typeorm';

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
