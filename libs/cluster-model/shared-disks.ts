import type { Inventory } from '#libs/openstack';
import { type ComputeSnapshot, instanceFlag, type SharedDisk } from './compute-snapshot.ts';
import type { ConstraintName } from './what-if.ts';

/** Why shared storage refuses a move, or null. A move does not change the free space there. */
type SharedDisks = (instance: number, from: number, to: number) => ConstraintName | null;

/** Responses of Placement, as those of `ComputeModelInput`. */
interface Answers {
  inventories: ReadonlyMap<string, Record<string, Inventory> | null>;
  allocations: ReadonlyMap<string, ReadonlyMap<string, Record<string, number>> | null>;
  sharedDisks?: ReadonlyMap<string, string>;
}

/** Amounts that consumers hold of a provider. */
function heldOf({ allocations }: Answers, provider: string): number {
  let sum = 0;
  for (const { DISK_GB: amount = 0 } of allocations.get(provider)?.values() ?? []) sum += amount;
  return sum;
}

/**
 * The storage that hosts without local disks share, and its row for each of these hosts, by the uuid of the hypervisor.
 */
export function readSharedDisks(input: Answers, hypervisors: readonly { uuid: string }[]) {
  const disks: SharedDisk[] = [];
  const rowOf = new Map<string, number>();
  for (const { uuid } of hypervisors) {
    const provider = input.sharedDisks?.get(uuid);
    const inventory = input.inventories.get(provider ?? '')?.DISK_GB;
    if (provider === undefined || inventory === undefined || input.inventories.get(uuid)?.DISK_GB !== undefined)
      continue;
    const known = disks.findIndex((disk) => disk.uuid === provider);
    const { total, reserved, allocationRatio, maxUnit } = inventory;
    const free = (total - reserved) * allocationRatio - heldOf(input, provider);
    rowOf.set(uuid, known < 0 ? disks.push({ uuid: provider, free, largest: maxUnit }) - 1 : known);
  }
  return { disks, rowOf };
}

/**
 * Subtracts from the storage the disks of instances without an allocation. Failed migrations lose the allocation,
 * and the next move claims it.
 */
export function takeUnallocated(
  disks: readonly SharedDisk[],
  { allocations }: Pick<Answers, 'allocations'>,
  { hostInfo, instances, instanceInfo }: Pick<ComputeSnapshot, 'hostInfo' | 'instances' | 'instanceInfo'>,
): void {
  instanceInfo.forEach(({ uuid, sharedDiskGb = 0 }, row) => {
    const disk = disks[hostInfo[instances.host[row] as number]?.sharedDisk ?? -1];
    const isMoving = ((instances.flags[row] as number) & instanceFlag.busy) !== 0;
    if (disk !== undefined && !isMoving && !allocations.get(disk.uuid)?.has(uuid)) disk.free -= sharedDiskGb;
  });
}

/**
 * While an instance moves, Nova holds its disk twice on the storage that both hosts share, although it exists once.
 * Room for a second copy must be free, and the end of the move releases it. For an evacuation Placement requires
 * that room too, and Nova claims none of it. No instance with a disk moves between two storages.
 */
export function createSharedDisks({ hostInfo, instances, instanceInfo, sharedDisks }: ComputeSnapshot): SharedDisks {
  if (sharedDisks === undefined) return () => null;
  const storageOf = Int32Array.from(hostInfo, ({ sharedDisk = -1 }) => sharedDisk);
  const most = sharedDisks.map(({ free, largest }) => Math.min(free, largest));
  return (instance, from, to) => {
    const [need, storage] = [instanceInfo[instance]?.sharedDiskGb ?? 0, storageOf[to] as number];
    if (storageOf[from] !== storage) return need > 0 || (instances.disk[instance] as number) > 0 ? 'shared-disk' : null;
    return storage >= 0 && need > (most[storage] as number) ? 'shared-disk' : null;
  };
}
