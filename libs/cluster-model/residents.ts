/** The instances on each host, kept in step with moves. */
export interface Residents {
  /** Rows of the instances on the host, in no particular order. Do not write. */
  on(host: number): readonly number[];
  /** A host of −1 is none. */
  moved(instance: number, from: number, to: number): void;
}

/**
 * Lists the instances of each host. A move costs O(1).
 * @param hostOf host row of each instance, −1 for none
 */
export function createResidents(hostOf: Int32Array, hostCount: number): Residents {
  const residents: number[][] = Array.from({ length: hostCount }, () => []);
  /** Place of each instance in the list of its host. */
  const position = new Int32Array(hostOf.length);
  for (let row = 0; row < hostOf.length; row++) settle(row, hostOf[row] as number);

  function settle(instance: number, host: number): void {
    if (host >= 0) position[instance] = (residents[host] as number[]).push(instance) - 1;
  }

  function leave(instance: number, host: number): void {
    if (host < 0) return;
    const list = residents[host] as number[];
    const last = list.pop() as number;
    if (last === instance) return;
    const gap = position[instance] as number;
    list[gap] = last;
    position[last] = gap;
  }

  return {
    on: (host) => residents[host] ?? [],
    moved(instance, from, to) {
      leave(instance, from);
      settle(instance, to);
    },
  };
}
