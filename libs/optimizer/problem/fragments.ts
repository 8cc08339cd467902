/**
 * Nodes whose free room lies in fragments: places for a large flavor are wanted, and instances may go from node to
 * node. One resource counts, in whole units.
 */
export interface FragmentProblem {
  /** Units that one place needs. */
  readonly slot: number;
  /**
   * Units of each size of instance that may move, and how many moves one arrival counts: 1, or ½ where an instance has
   * two halves.
   */
  readonly sizes: readonly number[];
  readonly arrivalMoves: readonly number[];
  /** Free units of each node. */
  readonly free: Int32Array;
  /** Movable instances of each size on each node, nodes × sizes. */
  readonly contents: Int32Array;
}

/** Nodes with equal room and contents, which have the same patterns. */
export interface NodeType {
  readonly free: number;
  readonly contents: Int32Array;
  readonly nodes: number[];
}

/** Groups the nodes of a problem by type. */
export function nodeTypes({ free, contents, sizes }: FragmentProblem): NodeType[] {
  const types = new Map<string, NodeType>();
  free.forEach((units, node) => {
    const own = contents.subarray(node * sizes.length, (node + 1) * sizes.length);
    const key = `${units}/${own.join()}`;
    const type = types.get(key);
    if (type === undefined) types.set(key, { free: units, contents: own, nodes: [node] });
    else type.nodes.push(node);
  });
  return [...types.values()];
}
