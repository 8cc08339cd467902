/**
 * Numbers of rows with the greatest of them at hand: a tree over the rows in which every node has the greater of its
 * two.
 */
export class Greatest {
  private readonly leaves: number;
  /** Nodes from 1 on, the children of `at` at `2 * at` and after it. Leaves at the end. */
  private readonly tree: Float64Array;

  constructor(rows: number) {
    this.leaves = 2 ** Math.ceil(Math.log2(Math.max(1, rows)));
    this.tree = new Float64Array(2 * this.leaves).fill(Number.NEGATIVE_INFINITY);
  }

  of(row: number): number {
    return this.tree[this.leaves + row]!;
  }

  set(row: number, value: number): void {
    const { tree } = this;
    let at = this.leaves + row;
    tree[at] = value;
    while (at > 1) {
      at >>= 1;
      const greater = Math.max(tree[2 * at]!, tree[2 * at + 1]!);
      if (tree[at] === greater) return;
      tree[at] = greater;
    }
  }

  /** Row of the greatest number, of equal ones the first; −1 when none is above `floor`. */
  row(floor: number): number {
    const { tree, leaves } = this;
    const greatest = tree[1]!;
    if (!(greatest > floor)) return -1;
    let at = 1;
    while (at < leaves) at = tree[2 * at] === greatest ? 2 * at : 2 * at + 1;
    return at - leaves;
  }
}
