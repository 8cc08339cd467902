import type { Placement, Problem } from '#libs/optimizer';

/** Relative tolerance for the rounding of sums over columns. */
const rounding = 1e-11;

/**
 * Bounds of the effect of a move, from the slope of the cost of each host. The cost is convex, so an item raises it by
 * at least the slope times its use, and relieves it by at most that. Columns with the same uses are one quantity: a
 * bound reads a few numbers where the cost reads many. For placements with hinges only.
 */
export class MarginalCosts {
  private readonly placement: Placement;
  private readonly quantities: number;
  /** Quantity of each column. */
  private readonly quantityOf: Int32Array;
  /** Items × quantities. */
  private readonly use: Float64Array;
  /** Hosts × quantities. */
  private readonly slopes: Float64Array;

  constructor(placement: Placement) {
    const { problem } = placement;
    this.placement = placement;
    this.quantityOf = quantitiesOf(problem);
    this.quantities = 1 + (this.quantityOf.at(-1) ?? -1);
    this.use = new Float64Array(problem.items * this.quantities);
    for (let item = 0; item < problem.items; item += 1)
      for (let k = 0; k < problem.columns; k += 1)
        this.use[item * this.quantities + this.quantityOf[k]!] = problem.use[item * problem.columns + k]!;
    this.slopes = new Float64Array(problem.hosts * this.quantities);
    for (let host = 0; host < problem.hosts; host += 1) this.refresh(host);
  }

  /** Must be called for both hosts of a move. */
  refresh(host: number): void {
    const { rows, stride, problem } = this.placement;
    const at = host * this.quantities;
    this.slopes.fill(0, at, at + this.quantities);
    for (let k = 0; k < problem.columns; k += 1)
      if (rows[host * stride + k]! > 0) this.slopes[at + this.quantityOf[k]!]! += problem.prices[k]!;
  }

  /** Change of the cost of a host by the use of an item, at the slope of the host. */
  private slope(host: number, item: number): number {
    const { quantities, use, slopes } = this;
    let sum = 0;
    for (let at = host * quantities, from = item * quantities, left = quantities; left > 0; left -= 1)
      sum += slopes[at++]! * use[from++]!;
    return sum;
  }

  /** Upper bound of the fall of the cost when the item leaves its host. */
  mostRelief(item: number): number {
    const { placement } = this;
    const from = placement.host[item]!;
    const most = this.slope(from, item) + placement.priceAway(item, from);
    return most + rounding * (placement.costOf(from) + most);
  }

  /**
   * Whether a move to a host surely gains no more than `most`.
   * @param relief fall of the cost when the item leaves its host, at most
   */
  gainsAtMost(most: number, item: number, to: number, relief: number): boolean {
    const { placement } = this;
    const price = this.slope(to, item) + placement.priceAway(item, to);
    return relief - price <= most - rounding * (placement.costOf(to) + Math.abs(relief) + price + Math.abs(most));
  }
}

/** Numbers adjacent columns whose uses are the same for every item with one number, ascending. */
function quantitiesOf({ items, columns, use }: Problem): Int32Array {
  const isNew = new Uint8Array(columns);
  for (let item = 0; item < items; item += 1)
    for (let k = 1; k < columns; k += 1) if (use[item * columns + k] !== use[item * columns + k - 1]) isNew[k] = 1;
  const quantityOf = new Int32Array(columns);
  for (let k = 1; k < columns; k += 1) quantityOf[k] = quantityOf[k - 1]! + isNew[k]!;
  return quantityOf;
}
