import type { SchemaValue } from '#libs/domain';
import { inputSchema, uuidPattern } from '../schema.ts';

/** Watcher's effective schema, with destinations other than text and null refused. */
export const migrateSchema = inputSchema(['migration_type', 'resource_id', 'source_node'], {
  migration_type: { type: 'string', enum: ['live', 'cold'] },
  resource_id: { type: 'string', pattern: uuidPattern },
  source_node: { type: 'string', minLength: 1 },
  destination_node: { type: ['string', 'null'] },
  resource_name: { type: 'string' },
});

/** Parameters of `migrate`. Without `destination_node` Nova's scheduler chooses. Hosts are names of compute services. */
export type MigrateInput = SchemaValue<typeof migrateSchema>;
