import type { WhatIf } from '#libs/cluster-model';
import { buildGroups, type Problem, sharedBytes, sharedFloats, sharedInts } from '#libs/optimizer';

/** A cost of hosts: the excess of the summed uses of its instances over a limit, `weight` for each unit. */
export interface Hinge {
  weight: number;
  /** Of each instance. Not negative. */
  use: Float64Array;
  /** Of each host. */
  limit: Float64Array;
}

/** Costs of a placement. */
export interface PlacementCosts {
  /** With `isWall` nothing may rise above the limit, and room below it can be counted. */
  hinges: readonly (Hinge & { isWall?: boolean })[];
  /** Cost of moving an instance, by row. */
  movePrice(instance: number): number;
}

/** A problem for the optimizer, made of a cloud. Items are the instances that are on a host. */
export interface PlacementProblem {
  problem: Problem;
  /** Row of the instance of each item, and item of each row (−1: on no host). */
  instanceOf: Int32Array;
  itemOf: Int32Array;
}

/** Slack against rounding of the room below a wall. */
const tolerance = 1e-6;

/** Makes a problem of the current model. It has no room and no rules: the mover of instances checks the model. */
export function createPlacementProblem(model: WhatIf, { hinges, movePrice }: PlacementCosts): PlacementProblem {
  const instanceOf = Int32Array.from(model.hostOf.keys()).filter((row) => (model.hostOf[row] as number) >= 0);
  const itemOf = new Int32Array(model.hostOf.length).fill(-1);
  const [hosts, items, columns] = [model.snapshot.hostInfo.length, instanceOf.length, hinges.length];
  const use = sharedFloats(items * columns);
  const base = sharedFloats(hosts * columns);
  const limit = sharedFloats(hosts * columns);
  hinges.forEach((hinge, k) => {
    for (let item = 0; item < items; item += 1) use[item * columns + k] = hinge.use[instanceOf[item]!]!;
    for (let host = 0; host < hosts; host += 1) {
      base[host * columns + k] = -hinge.limit[host]!;
      limit[host * columns + k] = hinge.isWall === true ? tolerance : Number.POSITIVE_INFINITY;
    }
  });
  const home = sharedInts(items);
  const fixed = sharedBytes(items);
  const moveCost = sharedFloats(items);
  instanceOf.forEach((row, item) => {
    itemOf[row] = item;
    home[item] = model.hostOf[row]!;
    fixed[item] = model.immovable(row) === null ? 0 : 1;
    moveCost[item] = movePrice(row);
  });
  const problem: Problem = {
    ...{ hosts, items, columns, use, base, limit, home, fixed, moveCost },
    transientColumns: 0,
    prices: Float64Array.from(hinges, ({ weight }) => weight),
    classOf: sharedInts(hosts),
    classes: 1,
    distance: sharedFloats(1),
    groups: buildGroups({ groups: [] }, items, hosts),
    terms: null,
  };
  return { problem, instanceOf, itemOf };
}
