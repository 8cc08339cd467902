import type { ComputeSnapshot } from '#libs/cluster-model';
import { buildGroups, type Problem, sharedBytes, sharedFloats, sharedInts } from '#libs/optimizer';

/** Costs of a placement. */
export interface SnapshotCosts {
  /** Price of the square of a host's share of vcpus and memory in use. */
  square: number;
  hostInUse: number;
  /** Price of a move, and of each GiB that it copies. */
  move: number;
  gib: number;
}

/** A snapshot as a placement problem: vcpus, memory and disk, each up to the host's capacity. Room is the only rule. */
export function snapshotProblem(snapshot: ComputeSnapshot, costs: SnapshotCosts): Problem {
  const { hosts: columns, instances, hostInfo, instanceInfo } = snapshot;
  const hosts = hostInfo.length;
  const items = instanceInfo.length;
  const uses = [instances.vcpus, instances.memory, instances.disk];
  const limits = [
    (host: number) => (columns.vcpus[host]! - columns.vcpusReserved[host]!) * columns.vcpusRatio[host]!,
    (host: number) => (columns.memory[host]! - columns.memoryReserved[host]!) * columns.memoryRatio[host]!,
    (host: number) => (columns.disk[host]! - columns.diskReserved[host]!) * columns.diskRatio[host]!,
  ];
  const use = sharedFloats(items * uses.length);
  const limit = sharedFloats(hosts * limits.length);
  for (let at = 0; at < use.length; at += 1) use[at] = uses[at % uses.length]![Math.floor(at / uses.length)]!;
  for (let at = 0; at < limit.length; at += 1) limit[at] = limits[at % limits.length]!(Math.floor(at / limits.length));
  const home = sharedInts(items);
  home.set(instances.host);
  const moveCost = sharedFloats(items);
  instances.memory.forEach((mib, item) => {
    moveCost[item] = costs.move + (costs.gib * mib) / 1024;
  });
  return {
    hosts,
    items,
    columns: uses.length,
    transientColumns: 0,
    prices: sharedFloats(uses.length),
    use,
    base: sharedFloats(limit.length),
    limit,
    home,
    fixed: sharedBytes(items),
    moveCost,
    classOf: sharedInts(hosts),
    classes: 1,
    distance: sharedFloats(1),
    groups: buildGroups({ groups: [] }, items, hosts),
    terms: {
      slotPrices: sharedFloats(0),
      slotNeeds: sharedFloats(0),
      inUsePrices: sharedFloats(hosts).fill(costs.hostInUse),
      squarePrices: Float64Array.of(costs.square, costs.square, 0),
    },
  };
}
