import { buildStorageSnapshot, type StorageModelInput, type StorageSnapshot } from '#libs/cluster-model';
import type { Clock } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import { createOptionalListing, ServiceMissingError } from './errors.ts';
import { type Collector, collectThrough } from './foreign-collectors.ts';

type BlockStorage = Pick<Cloud, 'volume' | 'hasVolumeService'>;

/**
 * Reads the block storage of a cloud: volumes (paged), pools, types, services and snapshots, with one listing each.
 * Throws ServiceMissingError when the catalogue has no Cinder, and rejects when volumes or pools cannot be listed.
 * Other missing parts make the snapshot incomplete. `gaps` names them.
 */
export function collectStorageModel(
  cloud: BlockStorage,
  { clock, signal, collector }: { clock: Clock; signal?: AbortSignal; collector?: Collector<StorageModelInput> },
): Promise<StorageSnapshot> {
  const read = () => listStorage(cloud, clock, signal);
  return collectThrough(collector, { read, build: buildStorageSnapshot, signal });
}

/** The listings from which `collectStorageModel` builds its snapshot. Rejects in the same cases. */
export async function listStorage(cloud: BlockStorage, clock: Clock, signal?: AbortSignal): Promise<StorageModelInput> {
  const call = { signal };
  if (!(await cloud.hasVolumeService(call))) throw new ServiceMissingError('block storage (Cinder)');
  const gaps: string[] = [];
  const takenAtMs = clock.now();
  const optional = createOptionalListing(gaps, signal);
  const { volume } = cloud;
  const [volumes, pools, types, services, snapshots] = await Promise.all([
    volume.listVolumes(call),
    volume.listPools(call),
    optional('volume types', volume.listTypes(call)),
    optional('storage services', volume.listServices(call)),
    optional('volume snapshots', volume.listSnapshots(call)),
  ]);
  return { volumes, pools, types, services, snapshots, takenAtMs, gaps };
}
