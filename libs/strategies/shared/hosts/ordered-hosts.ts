/** Hosts in ascending order of a key (ties by row). The order is updated when keys change. */
export interface OrderedHosts {
  /** Row of the host at a position. The lowest key is at 0. */
  at(place: number): number;
  readonly size: number;
  /** First position whose host has a key of at least `key`. `size` when none has. */
  firstAtLeast(key: number): number;
  /** Changes the key of a host. Ignores a host that is not in the order. O(H) moves of small numbers. */
  update(host: number, key: number): void;
  /** Adds a host that is not in the order. */
  add(host: number, key: number): void;
  remove(host: number): void;
}

/** Orders the given host rows. `keys` is called once for each. */
export function createOrderedHosts(hosts: readonly number[], keyOf: (host: number) => number): OrderedHosts {
  // NaN for a host that is not in the order.
  let keys = new Float64Array(hosts.reduce((most, host) => Math.max(most, host), -1) + 1).fill(Number.NaN);
  for (const host of hosts) keys[host] = keyOf(host);
  let order = Int32Array.from(hosts);
  order.sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
  let size = order.length;

  /** First position that is not before a host with the key. */
  function place(key: number, host: number): number {
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = order[middle] as number;
      const otherKey = keys[other] as number;
      if (otherKey < key || (otherKey === key && other < host)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function remove(host: number): void {
    const key = keys[host] ?? Number.NaN;
    if (Number.isNaN(key)) return;
    const from = place(key, host);
    order.copyWithin(from, from + 1, size);
    size--;
    keys[host] = Number.NaN;
  }

  function growFor(host: number): void {
    if (size === order.length) {
      const larger = new Int32Array(2 * size + 1);
      larger.set(order);
      order = larger;
    }
    if (host >= keys.length) {
      const larger = new Float64Array(2 * host + 1).fill(Number.NaN);
      larger.set(keys);
      keys = larger;
    }
  }

  function add(host: number, key: number): void {
    growFor(host);
    const to = place(key, host);
    order.copyWithin(to + 1, to, size);
    order[to] = host;
    size++;
    keys[host] = key;
  }

  return {
    at: (index) => order[index] as number,
    get size() {
      return size;
    },
    firstAtLeast: (key) => place(key, -1),
    update(host, key) {
      const before = keys[host] ?? Number.NaN;
      if (Number.isNaN(before) || before === key) return;
      remove(host);
      add(host, key);
    },
    add,
    remove,
  };
}
