import { type PackingProblem, width } from './packing-problem.ts';

/** Items on hosts, with the room that is left. */
export interface Packing {
  /** Place of each item in the list of hosts, −1: none. Do not write. */
  readonly hostOf: Int32Array;
  /** Free amounts of each host, `width` a row. Do not write. */
  readonly free: Float64Array;
  fits(item: number, host: number): boolean;
  put(item: number, host: number): void;
  take(item: number): void;
  /** Items on a host that were put there. */
  on(host: number): readonly number[];
}

/** Starts with no item on any host. */
export function createPacking(problem: PackingProblem): Packing {
  const { items, hosts, needs, reach, groupOf, apart } = problem;
  const free = problem.free.slice();
  const caps = problem.caps.map((cap) => cap.slice());
  const hostOf = new Int32Array(items.length).fill(-1);
  const lists: number[][] = hosts.map(() => []);

  function change(item: number, host: number, sign: 1 | -1): void {
    for (let column = 0; column < width; column++) {
      const cell = host * width + column;
      free[cell] = (free[cell] as number) + sign * (needs[item * width + column] as number);
    }
    const cap = caps[groupOf[item] as number];
    if (cap !== undefined) cap[host] = (cap[host] as number) + sign;
  }

  return {
    hostOf,
    free,
    on: (host) => lists[host] as number[],
    fits(item, host) {
      if (reach[item]?.[host] !== 1) return false;
      for (let column = 0; column < width; column++) {
        const need = needs[item * width + column] as number;
        if (need > 0 && need > (free[host * width + column] as number)) return false;
      }
      const group = groupOf[item] as number;
      if (group >= 0 && (caps[group]?.[host] as number) < 1) return false;
      return apart.get(item)?.some((other) => hostOf[other] === host) !== true;
    },
    put(item, host) {
      hostOf[item] = host;
      (lists[host] as number[]).push(item);
      change(item, host, -1);
    },
    take(item) {
      const host = hostOf[item] as number;
      const list = lists[host] as number[];
      list.splice(list.lastIndexOf(item), 1);
      hostOf[item] = -1;
      change(item, host, 1);
    },
  };
}

/** Share of the mean free room that each item needs of its scarcest resource. */
export function sizesOf({ items, hosts, needs, free }: PackingProblem): Float64Array {
  const means = new Float64Array(width);
  for (let cell = 0; cell < free.length; cell++)
    means[cell % width] = (means[cell % width] as number) + Math.max(0, free[cell] as number) / hosts.length;
  return Float64Array.from(items, (_, item) => {
    let most = 0;
    for (let column = 0; column < width; column++) {
      const need = needs[item * width + column] as number;
      if (need > 0) most = Math.max(most, need / Math.max(1, means[column] as number));
    }
    return most;
  });
}

/** Number of hosts that each item reaches. */
export function reachesOf({ reach }: PackingProblem): Int32Array {
  const known = new Map<Uint8Array, number>();
  return Int32Array.from(reach, (row) => {
    let count = known.get(row);
    if (count === undefined) {
      count = row.reduce((sum, bit) => sum + bit, 0);
      known.set(row, count);
    }
    return count;
  });
}
