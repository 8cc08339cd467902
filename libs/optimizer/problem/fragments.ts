/**
 * Nodes with fragmented free room: the goal is places for a large flavor, and instances may move between nodes. One
 * resource counts, in whole units.
 */
export interface FragmentProblem {
  /** Units that one place needs. */
  readonly slot: number;
  /** Units of each size of instance that may move. */
  readonly sizes: readonly number[];
  /** Free units of each node. */
  readonly free: Int32Array;
  /** Movable instances of each size on each node, nodes × sizes. */
  readonly contents: Int32Array;
  /** 1 for each node whose free units count as places. Other nodes only exchange instances. */
  readonly counts: Uint8Array;
}

/** Nodes with equal room and contents. They have the same patterns. */
export interface NodeType {
  readonly free: number;
  readonly contents: Int32Array;
  readonly counts: boolean;
  readonly nodes: number[];
}

/** Number of places in this number of units of a node. */
export function placesIn(slot: number, units: number, counts: boolean): number {
  return counts ? Math.floor(units / slot) : 0;
}

/** Groups the nodes of a problem by type. */
export function nodeTypes({ free, contents, sizes, counts }: FragmentProblem): NodeType[] {
  const types = new Map<string, NodeType>();
  free.forEach((units, node) => {
    const own = contents.subarray(node * sizes.length, (node + 1) * sizes.length);
    const key = `${counts[node]!}/${units}/${own.join()}`;
    const type = types.get(key);
    if (type === undefined) types.set(key, { free: units, contents: own, counts: counts[node] === 1, nodes: [node] });
    else type.nodes.push(node);
  });
  return [...types.values()];
}
