import { type ComputeSnapshot, cpuNeed, type GroupInfo } from '#libs/cluster-model';
import { createRoomLedger } from './room-ledger.ts';
import type { Task } from './tasks.ts';

type Wants = [pool: number, amount: number][];

/** Kinds of room on a host (shared CPUs, memory, disk, dedicated CPUs); each host and kind is a pool of the ledger. */
const kinds = 4;

/** The accounts of room of a cloud while migrations are dealt out, see `RoomLedger`. */
export interface RoomAccounts {
  /** Whether the destination of the task can hold its instance, counting what placed tasks set free. */
  covers(task: Task): boolean;
  /** Takes the room at the destination, makes the task wait for those who set it free, and gives back that at its source. */
  place(task: Task): void;
}

/** Free room of every kind on a host. */
function freeOn({ hosts, hostInfo }: ComputeSnapshot, row: number): number[] {
  const free = (total: Float64Array, reserved: Float64Array, ratio: Float64Array, used: Float64Array) =>
    ((total[row] as number) - (reserved[row] as number)) * (ratio[row] as number) - (used[row] as number);
  const cpus = hostInfo[row]?.dedicatedCpus;
  return [
    free(hosts.vcpus, hosts.vcpusReserved, hosts.vcpusRatio, hosts.vcpusUsed),
    free(hosts.memory, hosts.memoryReserved, hosts.memoryRatio, hosts.memoryUsed),
    free(hosts.disk, hosts.diskReserved, hosts.diskRatio, hosts.diskUsed),
    cpus === undefined ? 0 : cpus.capacity - cpus.used,
  ];
}

/** Members of every group on every host, by `group × hosts + host`. */
function countMembers({ instances, hostInfo }: ComputeSnapshot): Map<number, number> {
  const members = new Map<number, number>();
  instances.group.forEach((group, row) => {
    const host = instances.host[row] as number;
    if (group < 0 || host < 0) return;
    const key = group * hostInfo.length + host;
    members.set(key, (members.get(key) ?? 0) + 1);
  });
  return members;
}

/** Accounts as the snapshot has them; hosts are opened when they are first asked for. */
export function createRoomAccounts(snapshot: ComputeSnapshot): RoomAccounts {
  const { instances, instanceInfo, hostInfo, groups } = snapshot;
  const ledger = createRoomLedger();
  const opened = new Set<number>();
  const members = countMembers(snapshot);

  function openHost(host: number): void {
    if (opened.has(host)) return;
    opened.add(host);
    freeOn(snapshot, host).forEach((free, kind) => {
      ledger.open(host * kinds + kind, free);
    });
  }

  /** Places that an anti-affinity group has left on a host are a resource like any other. */
  function groupPlace(instance: number, host: number): Wants {
    const group = instances.group[instance] as number;
    if (groups[group]?.policy !== 'anti-affinity') return [];
    const key = group * hostInfo.length + host;
    const pool = hostInfo.length * kinds + key;
    ledger.open(pool, (groups[group] as GroupInfo).maxServerPerHost - (members.get(key) ?? 0));
    return [[pool, 1]];
  }

  /** What an instance takes of a host. */
  function wantsOf(instance: number, host: number): Wants {
    const info = instanceInfo[instance];
    if (info === undefined || host < 0) return [];
    openHost(host);
    const cpus = cpuNeed(info, instances.vcpus[instance] as number);
    return [
      [host * kinds, cpus.shared],
      [host * kinds + 1, instances.memory[instance] as number],
      [host * kinds + 2, instances.disk[instance] as number],
      [host * kinds + 3, cpus.dedicated],
      ...groupPlace(instance, host),
    ];
  }

  return {
    covers: ({ instance, destinationRow }) => ledger.covers(wantsOf(instance, destinationRow)),
    place(task) {
      for (const parent of ledger.draw(wantsOf(task.instance, task.destinationRow))) task.parents.add(parent);
      for (const [pool, amount] of wantsOf(task.instance, task.sourceRow)) ledger.release(pool, amount, task.index);
    },
  };
}
