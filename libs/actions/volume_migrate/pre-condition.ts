import type { Volume } from '#libs/openstack';
import type { ActionContext, PreConditionResult } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { readForCheck } from '../read-for-check.ts';
import { findVolume, type VolumeMigrateInput } from './find-volume.ts';

/**
 * Whether a change is required, and the destination exists. Checks Watcher's conditions with its texts first, then
 * others.
 */
export async function volumePreCondition(context: ActionContext<VolumeMigrateInput>): Promise<PreConditionResult> {
  const { resource_id: id, migration_type: type, destination_node: pool, destination_type: wanted } = context.input;
  const volume = await readForCheck(() => findVolume(context));
  if (!volume) return { go: false, skip: `Volume ${id} not found` };
  await readForCheck(() => requireDestination(context));
  if (type === 'retype' && wanted && volume.volumeType === wanted) {
    return { go: false, skip: `Volume type is already ${wanted}` };
  }
  if (type !== 'retype' && pool && volume.host === pool) {
    return { go: false, skip: `Volume is already on node ${pool}` };
  }
  requireMigratable(context, volume);
  return { go: true };
}

async function requireDestination(context: ActionContext<VolumeMigrateInput>): Promise<void> {
  const { destination_node: pool, destination_type: wanted } = context.input;
  const { volume } = context.cloud;
  if (wanted && !(await volume.listTypes()).some((type) => type.name === wanted)) {
    throw new ActionFailedError(`Volume type ${wanted} not found`);
  }
  if (pool && (await volume.listPools()).filter((one) => one.name === pool).length !== 1) {
    throw new ActionFailedError(`Pool ${pool} not found`);
  }
}

function requireMigratable(context: ActionContext<VolumeMigrateInput>, volume: Volume): void {
  const { migration_type: type, destination_node: pool, destination_type: wanted } = context.input;
  if (type === 'retype' && !wanted) throw new ActionFailedError('destination_type is missing');
  if (type !== 'retype' && !pool) throw new ActionFailedError('destination_node is missing');
  if (volume.host === null) {
    throw new ActionFailedError(
      `Cinder does not show the host of volume ${volume.uuid}: its policy wants an administrator`,
    );
  }
  if (volume.multiattach && volume.attachments.length > 1) {
    throw new ActionFailedError(`Volume ${volume.uuid} is attached to ${volume.attachments.length} servers`);
  }
}
