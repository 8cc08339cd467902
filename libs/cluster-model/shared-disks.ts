import type { Inventory } from '#libs/openstack';
import type { ComputeSnapshot, SharedDisk } from './compute-snapshot.ts';
import { hostFlag } from './compute-snapshot.ts';
import type { ConstraintName } from './what-if.ts';

/** Room on storage that hosts share, kept in step with moves. */
export interface SharedDisks {
  refusal(instance: number, from: number, to: number): ConstraintName | null;
  /** To be called when the instance has been moved. */
  moved(instance: number, from: number, to: number): void;
}

/** Answers of Placement, as those of `ComputeModelInput`. */
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

/** The storage that hosts without disks of their own share, and its row for each of these hosts, by the uuid of the hypervisor. */
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

const none: SharedDisks = { refusal: () => null, moved: () => undefined };

/**
 * While an instance moves, Nova holds its disk twice on the storage that both hosts share, though it is there once: room for
 * a second copy has to be free. The storage gets it back when the move ends, but for an evacuated instance, which holds its
 * failed host until that is back. Nothing with a disk goes from one storage to another.
 */
export function createSharedDisks({
  hosts,
  hostInfo,
  instances,
  instanceInfo,
  sharedDisks,
}: ComputeSnapshot): SharedDisks {
  if (sharedDisks === undefined) return none;
  const storageOf = Int32Array.from(hostInfo, ({ sharedDisk = -1 }) => sharedDisk);
  const free = sharedDisks.map((storage) => storage.free);
  const needOf = (instance: number) => instanceInfo[instance]?.sharedDiskGb ?? 0;
  const isUp = (host: number) => ((hosts.flags[host] as number) & (hostFlag.up | hostFlag.forcedDown)) === hostFlag.up;
  return {
    refusal(instance, from, to) {
      const [need, storage] = [needOf(instance), storageOf[to] as number];
      if (storageOf[from] !== storage)
        return need > 0 || (instances.disk[instance] as number) > 0 ? 'shared-disk' : null;
      if (storage < 0) return null;
      const most = Math.min(free[storage] as number, (sharedDisks[storage] as SharedDisk).largest);
      return need > most ? 'shared-disk' : null;
    },
    moved(instance, from, to) {
      const storage = storageOf[to] ?? -1;
      if (storage < 0) return;
      const held = (host: number) => (host >= 0 && isUp(host) ? needOf(instance) : 0);
      free[storage] = (free[storage] as number) - held(to) + held(from);
    },
  };
}
