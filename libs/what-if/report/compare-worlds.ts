import type { ComputeSnapshot, WhatIf } from '#libs/cluster-model';
import { resources } from '../packing/packing-problem.ts';
import type { Steps } from '../steps.ts';
import { countPlaces } from '../world/flavor-places.ts';
import { frequentFlavors } from '../world/frequent-flavors.ts';
import { findFullest } from './fullest.ts';
import { findReserve } from './reserve-left.ts';
import type { PlacesChange, WhatIfResult } from './what-if.ts';

/** A model and the rows of its hosts that accept instances. */
export interface World {
  model: WhatIf;
  hosts: readonly number[];
}

type Comparison = Pick<WhatIfResult, 'reserve' | 'fullest'>;

/** Fullest hosts and reserve of a world, kept until the world after the change is known. */
export interface WorldBefore {
  fullest: ReturnType<typeof findFullest>;
  reserve: WhatIfResult['reserve']['before'];
}

/** Measures the world before a change. */
export function* measureBefore({ model, hosts }: World): Steps<WorldBefore> {
  return { fullest: findFullest(model, hosts), reserve: yield* findReserve(model, hosts) };
}

/** Compares the world after a change. Null: it was not computed. */
export function* compareWorlds(before: WorldBefore, after: World | null): Steps<Comparison> {
  if (after === null) {
    const fullest = resources.flatMap((resource) => {
      const found = before.fullest.get(resource);
      return found === undefined ? [] : { resource, before: found, after: null };
    });
    return { reserve: { before: before.reserve, after: null }, fullest };
  }
  const fullestAfter = findFullest(after.model, after.hosts);
  const fullest = resources.flatMap((resource) => {
    const pair = { before: before.fullest.get(resource) ?? null, after: fullestAfter.get(resource) ?? null };
    return pair.before === null && pair.after === null ? [] : { resource, ...pair };
  });
  return {
    reserve: { before: before.reserve, after: yield* findReserve(after.model, after.hosts) },
    fullest,
  };
}

/** Places for the most frequent flavors in both snapshots. `hosts`: rows of the accepting ones in each. */
export function* comparePlaces(
  before: { snapshot: ComputeSnapshot; hosts: readonly number[] },
  after: { snapshot: ComputeSnapshot; hosts: readonly number[] },
): Steps<PlacesChange[]> {
  const flavors = frequentFlavors(before.snapshot);
  const first = yield* countPlaces(before.snapshot, before.hosts, flavors);
  const second = yield* countPlaces(after.snapshot, after.hosts, flavors);
  return flavors.map(({ name }, index) => ({
    flavor: name,
    before: first[index]?.total ?? 0,
    after: second[index]?.total ?? 0,
    isExact: first[index]?.isExact === true && second[index]?.isExact === true,
  }));
}

/** The snapshot with the instances and the use of the model. */
export function snapshotOf({ snapshot, hostOf, used, freeDedicatedCpus }: WhatIf): ComputeSnapshot {
  const rows = [...snapshot.hostInfo.keys()];
  return {
    ...snapshot,
    hosts: {
      ...snapshot.hosts,
      vcpusUsed: Float64Array.from(rows, (row) => used(row).vcpus),
      memoryUsed: Float64Array.from(rows, (row) => used(row).memory),
      diskUsed: Float64Array.from(rows, (row) => used(row).disk),
    },
    hostInfo: snapshot.hostInfo.map((info, row) =>
      info.dedicatedCpus === undefined
        ? info
        : {
            ...info,
            dedicatedCpus: { ...info.dedicatedCpus, used: info.dedicatedCpus.capacity - freeDedicatedCpus(row) },
          },
    ),
    instances: { ...snapshot.instances, host: hostOf.slice() },
  };
}

/** Rows of the hosts that accept instances: up, enabled, not forced down. */
export function acceptingHosts({ enabled, snapshot }: WhatIf): number[] {
  return [...snapshot.hostInfo.keys()].filter((row) => enabled[row] === 1);
}
