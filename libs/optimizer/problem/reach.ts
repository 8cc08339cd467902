import { limitedColumnsOf, type Problem } from './problem.ts';

/** The hosts where items can have room in some placement of the other items. */
export interface Reach {
  /** Items × hosts. 1: the item may be on the host. Always 1 for homes. */
  readonly hosts: Uint8Array;
  /** 1: the item can be at home only. */
  readonly stuck: Uint8Array;
}

/**
 * The hosts where each item has room when all other movable items have left. In transient columns, items at home keep
 * their room, and stuck items never leave. The check repeats until no further item is stuck. Hosts above a limit at the
 * start are excluded, because they may exchange items without room. Uses hosts × items bytes.
 */
export function reachOf(problem: Problem): Reach {
  const { items, hosts, home } = problem;
  const reach = { hosts: new Uint8Array(items * hosts), stuck: Uint8Array.from(problem.fixed) };
  for (;;) {
    const room = roomForVisitors(problem, reach.stuck);
    let found = 0;
    for (let item = 0; item < items; item += 1) {
      const row = reach.hosts.subarray(item * hosts, (item + 1) * hosts).fill(0);
      row[home[item]!] = 1;
      if (reach.stuck[item] === 1 || visits(problem, item, room, row) > 0) continue;
      reach.stuck[item] = 1;
      found += 1;
    }
    if (found === 0) return reach;
  }
}

/** Marks the hosts with room for an item. Returns their number without its home. */
function visits({ hosts, columns, use, home }: Problem, item: number, room: Float64Array, row: Uint8Array): number {
  const from = item * columns;
  let count = 0;
  for (let host = 0; host < hosts; host += 1) {
    if (host === home[item]) continue;
    const to = host * columns;
    let k = 0;
    while (k < columns && use[from + k]! <= room[to + k]!) k += 1;
    if (k < columns) continue;
    row[host] = 1;
    count += 1;
  }
  return count;
}

/** Largest possible use of a visitor, hosts × columns. Infinite when unknown. */
function roomForVisitors(problem: Problem, stuck: Uint8Array): Float64Array {
  const { items, columns, transientColumns, use, base, limit, home } = problem;
  const room = limit.map((most, at) => most - base[at]!);
  const free = Float64Array.from(room);
  const isShrinking = new Uint8Array(columns);
  for (let item = 0; item < items; item += 1)
    for (let k = 0; k < columns; k += 1) {
      const amount = use[item * columns + k]!;
      const at = home[item]! * columns + k;
      free[at]! -= amount;
      if (k < transientColumns || stuck[item] === 1) room[at]! -= amount;
      if (amount < 0) isShrinking[k] = 1;
    }
  const limited = limitedColumnsOf(problem);
  return room.map((most, at) => {
    const row = at - (at % columns);
    const isAbove = free.subarray(row, row + limited).some((amount) => amount < 0);
    return isAbove || isShrinking[at % columns] === 1 ? Number.POSITIVE_INFINITY : most;
  });
}
