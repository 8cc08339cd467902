/**
 * Hosts ordered by a key (free room), so that the tightest fitting one is found by bisection. Finding costs O(log H),
 * changing a key one shift of the list.
 */
export interface DestinationIndex {
  /** Hosts whose key is at least `need`, by rising key, equal ones by row. */
  atLeast(need: number): Iterable<number>;
  /** How many hosts have a key below `need`, and the one nearest to it (−1 when there is none). */
  below(need: number): { count: number; nearest: number };
  add(host: number, key: number): void;
  remove(host: number): void;
  /** Gives a host that is in the index its new key. */
  update(host: number, key: number): void;
}

/** An empty index. */
export function createDestinationIndex(): DestinationIndex {
  const order: number[] = [];
  const keys = new Map<number, number>();

  function position(key: number, host: number): number {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = order[middle] as number;
      const otherKey = keys.get(other) as number;
      if (otherKey < key || (otherKey === key && other < host)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function add(host: number, key: number): void {
    order.splice(position(key, host), 0, host);
    keys.set(host, key);
  }

  function remove(host: number): void {
    const key = keys.get(host);
    if (key === undefined) return;
    order.splice(position(key, host), 1);
    keys.delete(host);
  }

  return {
    *atLeast(need) {
      for (let index = position(need, -1); index < order.length; index++) yield order[index] as number;
    },
    below(need) {
      const count = position(need, -1);
      return { count, nearest: order[count - 1] ?? -1 };
    },
    add,
    remove,
    update(host, key) {
      if (keys.get(host) === key || !keys.has(host)) return;
      remove(host);
      add(host, key);
    },
  };
}
