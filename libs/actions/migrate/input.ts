import type { JsonObject } from '#libs/domain';
import { inputSchema, uuidPattern } from '../schema.ts';

/** Parameters of `migrate`. Without `destination_node` Nova's scheduler chooses. Hosts are names of compute services. */
export type MigrateInput = {
  migration_type: 'live' | 'cold';
  resource_id: string;
  source_node: string;
  destination_node?: string | null;
  resource_name?: string;
};

/** Watcher's effective schema, with destinations other than text and null refused. */
export const migrateSchema: JsonObject = inputSchema(['migration_type', 'resource_id', 'source_node'], {
  migration_type: { type: 'string', enum: ['live', 'cold'] },
  resource_id: { type: 'string', pattern: uuidPattern },
  source_node: { type: 'string', minLength: 1 },
  destination_node: { type: ['string', 'null'] },
  resource_name: { type: 'string' },
});
