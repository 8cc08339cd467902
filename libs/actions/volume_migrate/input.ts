import type { SchemaValue } from '#libs/domain';
import { inputSchema, uuidPattern } from '../schema.ts';

/** Watcher's effective schema, with destinations other than text and null refused. */
export const volumeMigrateSchema = inputSchema(['resource_id', 'migration_type'], {
  resource_id: { type: 'string', pattern: uuidPattern },
  migration_type: { type: 'string', enum: ['swap', 'retype', 'migrate'] },
  destination_node: { type: ['string', 'null'] },
  destination_type: { type: ['string', 'null'] },
  resource_name: { type: 'string' },
});

/** Parameters of `volume_migrate`. `swap` is an old name of `migrate`. A node is a pool: `host@backend#pool`. */
export type VolumeMigrateInput = SchemaValue<typeof volumeMigrateSchema>;
