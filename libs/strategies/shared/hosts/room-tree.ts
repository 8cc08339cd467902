import type { AllocationTarget } from './target-utilization.ts';

/** Needs of an instance on a host: allocations, and measured CPU in vcpus. */
export interface Need {
  vcpus: number;
  memory: number;
  disk: number;
  cpu: number;
}

/** Finds the next host with room in a fixed order of hosts. A step costs about log H instead of a linear scan. */
export interface RoomTree {
  /** First position from `from` on whose host has room for the need, −1 without one. */
  next(from: number, need: Need): number;
  /** Must be called when a host has changed. A closed host has no room. */
  update(place: number): void;
  close(place: number, closed: boolean): void;
}

const fields = 4;
/** Tolerance for rounding, as in the model. */
const tolerance = 1e-6;

/**
 * Creates a binary tree. Each node has the most room per resource below it, up to the target. `freeCpu` returns the
 * free measured CPU of a host, in vcpus.
 */
export function createRoomTree(
  { room }: AllocationTarget,
  order: readonly number[],
  freeCpu: (host: number) => number,
): RoomTree {
  let leaves = 1;
  while (leaves < order.length) leaves *= 2;
  const most = new Float64Array(2 * leaves * fields).fill(-1);
  const closed = new Uint8Array(order.length);

  function fill(place: number): void {
    const host = order[place] as number;
    const free = room(host);
    const left = [free.vcpus, free.memory, free.disk].map((value) => Math.max(0, value));
    most.set(closed[place] === 1 ? [-1, -1, -1, -1] : [...left, freeCpu(host)], (leaves + place) * fields);
  }

  function refresh(node: number): void {
    for (let field = 0; field < fields; field++) {
      const left = most[2 * node * fields + field] as number;
      const right = most[(2 * node + 1) * fields + field] as number;
      most[node * fields + field] = Math.max(left, right);
    }
  }

  function update(place: number): void {
    fill(place);
    for (let node = (leaves + place) >>> 1; node >= 1; node >>>= 1) refresh(node);
  }

  function mayHold(node: number, need: Need): boolean {
    const base = node * fields;
    return (
      (most[base] as number) + tolerance >= need.vcpus &&
      (most[base + 1] as number) + tolerance >= need.memory &&
      (most[base + 2] as number) + tolerance >= need.disk &&
      (most[base + 3] as number) + tolerance >= need.cpu
    );
  }

  /**
   * Walks from leaf to leaf through the nodes above that may have room. Near leaves are found without a walk from the
   * root.
   */
  function next(from: number, need: Need): number {
    let node = leaves + from;
    while (from < leaves) {
      if (mayHold(node, need)) {
        if (node >= leaves) return node - leaves;
        node *= 2;
        continue;
      }
      while (node & 1) node >>>= 1;
      if (node === 0) return -1;
      node += 1;
    }
    return -1;
  }

  for (let place = 0; place < order.length; place++) fill(place);
  for (let node = leaves - 1; node >= 1; node--) refresh(node);

  return {
    next,
    update,
    close(place, value) {
      closed[place] = value ? 1 : 0;
      update(place);
    },
  };
}
