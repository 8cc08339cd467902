import type { Inventory } from '#libs/openstack';
import { type ComputeSnapshot, instanceFlag, type SharedDisk } from './compute-snapshot.ts';
import type { ConstraintName } from './what-if.ts';

/** Why storage that hosts share refuses a move, or null. No move changes what is free there. */
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
 * The storage that hosts without disks of their own share, and its row for each of these hosts, by the uuid of the
 * hypervisor.
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
 * Takes from the storage what instances have there without an allocation, which failed migrations lose: their next move
 * claims it.
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
 * While an instance moves, Nova holds its disk twice on the storage that both hosts share, though it is there once:
 * room for a second copy has to be free. The storage gets it back when the move ends. For an evacuation Placement asks
 * for that room too, and Nova claims none of it. Nothing with a disk goes from one storage to another.
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
