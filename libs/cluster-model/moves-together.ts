import type { ComputeSnapshot } from './compute-snapshot.ts';
import { createHintLinks } from './hints/hint-links.ts';
import { cpuNeed } from './instance-demands.ts';
import { createOrderedSets } from './ordered-sets.ts';

/**
 * Kinds of room on a host (shared CPUs, memory, disk, dedicated CPUs). Each host and kind is a pool, and each storage
 * that hosts share.
 */
const kinds = 4;

/** Amounts that a move allocates at its destination, and releases at its source when it ends. */
type PoolAmounts = [pool: number, amount: number][];

/**
 * Determines which moves are possible at the same time. Room and places for instances that are kept apart are pools.
 * Moves may overlap in any order as long as no other move draws from the same pools, because both ends are held until a
 * move ends. Rules without an amount, such as instances that stay together, keep the order of judgement.
 */
export interface MovesTogether {
  /**
   * Amounts that an instance allocates on a host. For row −1, a host that Nova chooses: the amounts that it allocates
   * anywhere.
   */
  amountsOf(instance: number, host: number): PoolAmounts;
  /** Free amount of a pool at the start. Below 0 where a host is overcommitted. */
  free(pool: number): number;
  /**
   * Sets of instances whose moves keep their order, by number: affinity groups, strict rules that keep instances
   * together, and instances that hints bind to the same host.
   */
  orderedSetsOf(instance: number): readonly number[];
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

/**
 * Instances with a maximum number per host: an anti-affinity group, two that a hint keeps apart, or those that a
 * strict rule keeps apart.
 */
interface Apart {
  mostPerHost: number;
  /** Members on each host. Absent where none are. */
  onHost: Map<number, number>;
}

/** By instance, the sets that it belongs to. Each has a pool for every host, from `firstPool` on. */
type ApartOf = Map<number, [firstPool: number, set: Apart][]>;

function findApart(snapshot: ComputeSnapshot): ApartOf {
  const { instances, groups, rules = [], hostInfo, sharedDisks = [] } = snapshot;
  const apartOf: ApartOf = new Map();
  let firstPool = hostInfo.length * kinds + sharedDisks.length;

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
  for (const pair of createHintLinks(snapshot).apart) add(1, pair);
  for (const { kind, isStrict, maxPerHost, instances: rows } of rules) {
    if (kind === 'keep_apart' && isStrict) add(maxPerHost, rows);
  }
  return apartOf;
}

/** The pools of a snapshot, rules of the operator included. */
export function createMovesTogether(snapshot: ComputeSnapshot): MovesTogether {
  const { instances, instanceInfo, hostInfo, sharedDisks = [] } = snapshot;
  const apartOf = findApart(snapshot);
  const ordered = createOrderedSets(snapshot);
  const places = new Map<number, number>();
  const room = new Map<number, number[]>();
  /** Pools of storage that hosts share follow those of hosts. */
  const firstShared = hostInfo.length * kinds;

  function free(pool: number): number {
    const host = Math.floor(pool / kinds);
    if (host >= hostInfo.length) return sharedDisks[pool - firstShared]?.free ?? places.get(pool) ?? 0;
    const known = room.get(host) ?? freeOn(snapshot, host);
    room.set(host, known);
    return known[pool % kinds] as number;
  }

  function sharedAmount(storage = -1, need = 0): PoolAmounts {
    return storage < 0 || need === 0 ? [] : [[firstShared + storage, need]];
  }

  return {
    free,
    orderedSetsOf: ordered.of,
    amountsOf(instance, host) {
      const info = instanceInfo[instance];
      if (info === undefined) return [];
      if (host < 0) return sharedAmount(hostInfo[instances.host[instance] as number]?.sharedDisk, info.sharedDiskGb);
      const cpus = cpuNeed(info, instances.vcpus[instance] as number);
      return [
        [host * kinds, cpus.shared],
        [host * kinds + 1, instances.memory[instance] as number],
        [host * kinds + 2, instances.disk[instance] as number],
        [host * kinds + 3, cpus.dedicated],
        ...sharedAmount(hostInfo[host]?.sharedDisk, info.sharedDiskGb),
        ...(apartOf.get(instance) ?? []).map(([firstPool, { mostPerHost, onHost }]): [number, number] => {
          places.set(firstPool + host, mostPerHost - (onHost.get(host) ?? 0));
          return [firstPool + host, 1];
        }),
      ];
    },
  };
}
