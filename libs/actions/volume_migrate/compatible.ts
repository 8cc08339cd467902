import type { StoragePool, Volume, VolumeType } from '#libs/openstack';
import type { ActionContext } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import type { VolumeMigrateInput } from './input.ts';

/**
 * What Cinder and Nova need of a volume that is to be moved: in use only by a server that runs or is paused, and of a
 * type that the pool can hold.
 * @throws ActionFailedError
 */
export async function requireCompatible(
  context: ActionContext<VolumeMigrateInput>,
  volume: Volume,
  pool: string,
): Promise<void> {
  await requireUsableAttachment(context, volume);
  if (volume.volumeType === null) return;
  const type = (await context.cloud.volume.listTypes()).find((one) => one.name === volume.volumeType);
  const target = (await context.cloud.volume.listPools()).find((one) => one.name === pool);
  if (!target) throw new ActionFailedError(`Pool ${pool} not found`);
  if (type && !fits(type, target)) {
    throw new ActionFailedError(`Volume type '${type.name}' is not compatible with destination pool '${pool}'`);
  }
}

async function requireUsableAttachment(context: ActionContext<VolumeMigrateInput>, volume: Volume): Promise<void> {
  const [attachment] = volume.attachments;
  if (!attachment) return;
  const server = await context.cloud.compute.getServer(attachment.serverId);
  const isUsable = volume.status === 'in-use' && ['ACTIVE', 'PAUSED'].includes(server?.status ?? '');
  if (isUsable) return;
  throw new ActionFailedError(
    `Volume ${volume.uuid} (${volume.status}) is attached to server ${attachment.serverId} (${server?.status ?? 'gone'})`,
  );
}

/** Every extra spec that the pool tells of must be equal; Cinder calls the others its own affair. */
function fits(type: VolumeType, pool: StoragePool): boolean {
  return Object.entries(type.extraSpecs).every(([name, value]) => (pool.capabilities[name] ?? value) === value);
}
