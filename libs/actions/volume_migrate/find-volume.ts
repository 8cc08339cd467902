import type { SchemaValue } from '#libs/domain';
import type { Volume } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { inputSchema, uuidPattern } from '../schema.ts';

/** Watcher's effective schema, except that destinations must be text or null. */
export const volumeMigrateSchema = inputSchema(['resource_id', 'migration_type'], {
  resource_id: { type: 'string', pattern: uuidPattern },
  migration_type: { type: 'string', enum: ['swap', 'retype', 'migrate'] },
  destination_node: { type: ['string', 'null'] },
  destination_type: { type: ['string', 'null'] },
  resource_name: { type: 'string' },
});

/** Parameters of `volume_migrate`. `swap` is an old name of `migrate`. A node is a pool: `host@backend#pool`. */
export type VolumeMigrateInput = SchemaValue<typeof volumeMigrateSchema>;

/** The volume by id or, when no volume has that id, by name. Null without a match. */
export async function findVolume(
  context: Pick<ActionContext<VolumeMigrateInput>, 'cloud' | 'input'>,
): Promise<Volume | null> {
  const { volume } = context.cloud;
  const { resource_id: id } = context.input;
  return (await volume.getVolume(id)) ?? (await volume.getVolumeByName(id));
}

/** Like `findVolume`. @throws ActionFailedError when it was deleted. */
export async function requireVolume(context: ActionContext<VolumeMigrateInput>): Promise<Volume> {
  const found = await findVolume(context);
  if (!found) throw new ActionFailedError(`Volume ${context.input.resource_id} not found`);
  return found;
}
