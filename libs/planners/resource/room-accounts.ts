import { type ComputeSnapshot, cpuNeed } from '#libs/cluster-model';
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

/** Instances of which one host may have only so many: an anti-affinity group, or those that a strict rule keeps apart. */
interface Apart {
  mostPerHost: number;
  /** Members on each host; absent where none are. */
  onHost: Map<number, number>;
}

/** By instance, the sets that it belongs to; each has a pool of the ledger for every host, from `firstPool` on. */
type ApartOf = Map<number, [firstPool: number, set: Apart][]>;

function findApart({ instances, groups, rules = [], hostInfo }: ComputeSnapshot): ApartOf {
  const apartOf: ApartOf = new Map();
  let firstPool = hostInfo.length * kinds;

  function add(mostPerHost: number, rows: Iterable<number>): void {
    const set: Apart = { mostPerHost, onHost: new Map() };
    for (const row of rows) {
      const host = instances.host[row] as number;
      if (host >= 0) set.onHost.set(host, (set.onHost.get(host) ?? 0) + 1);
      const own = apartOf.get(row);
      if (own === undefined) apartOf.set(row, [[firstPool, set]]);
      else own.push([firstPool, set]);
    }
    firstPool += hostInfo.length;
  }

  const members = groups.map((): number[] => []);
  instances.group.forEach((group, row) => {
    if (group >= 0) members[group]?.push(row);
  });
  groups.forEach(({ policy, maxServerPerHost }, group) => {
    if (policy === 'anti-affinity') add(maxServerPerHost, members[group] as number[]);
  });
  for (const { kind, isStrict, maxPerHost, instances: rows } of rules) {
    if (kind === 'keep_apart' && isStrict) add(maxPerHost, rows);
  }
  return apartOf;
}

/** Accounts as the snapshot has them; hosts are opened when they are first asked for. */
export function createRoomAccounts(snapshot: ComputeSnapshot): RoomAccounts {
  const { instances, instanceInfo } = snapshot;
  const ledger = createRoomLedger();
  const opened = new Set<number>();
  const apartOf = findApart(snapshot);

  function openHost(host: number): void {
    if (opened.has(host)) return;
    opened.add(host);
    freeOn(snapshot, host).forEach((free, kind) => {
      ledger.open(host * kinds + kind, free);
    });
  }

  /** Places that are left on a host for instances that are kept apart are a resource like any other. */
  function places(instance: number, host: number): Wants {
    return (apartOf.get(instance) ?? []).map(([firstPool, { mostPerHost, onHost }]) => {
      ledger.open(firstPool + host, mostPerHost - (onHost.get(host) ?? 0));
      return [firstPool + host, 1];
    });
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
      ...places(instance, host),
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
