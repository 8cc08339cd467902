import type { Placement } from './placement.ts';

/**
 * One item against many hosts: its uses and what its host saves without it are looked up once. No number with a fraction goes from call to
 * call: those would be put on the heap.
 */
export class Departure {
  private readonly placement: Placement;
  private item = -1;
  /** Amount by which the cost may rise, and what is saved where the item leaves. */
  private allowance = 0;
  private readonly uses: Float64Array;

  constructor(placement: Placement) {
    this.placement = placement;
    this.uses = new Float64Array(placement.problem.columns);
  }

  /** Begins with `item`, which would leave its host if the cost rises by at most `most`. */
  begin(item: number, most: number): void {
    const { placement, uses } = this;
    const { columns, use } = placement.problem;
    const from = placement.host[item]!;
    this.item = item;
    this.allowance =
      most + placement.costOf(from) - placement.costWithout(from, item) + placement.priceAway(item, from);
    for (let k = 0; k < columns; k += 1) uses[k] = use[item * columns + k]!;
  }

  /** Whether room and cost, that of groups excepted, allow the item to go to `to`. */
  allows(to: number): boolean {
    const { placement, item, uses } = this;
    const { columns, prices, home, transientColumns } = placement.problem;
    const { rows, limitedColumns } = placement;
    const ceiling = this.allowance - placement.priceAway(item, to) + placement.costOf(to);
    if (placement.softRoom.price > 0) return placement.canReach(item, to) && this.allowsSoftly(to, ceiling);
    // The room at home was kept.
    if (transientColumns > 0 && home[item] === to) return placement.costWith(to, item, ceiling) <= ceiling;
    const row = to * placement.stride;
    const top = 2 * ceiling;
    let cost = 0;
    for (let k = 0; k < limitedColumns; k += 1) {
      const x = rows[row + k]! + uses[k]!;
      if (x > rows[row + columns + k]!) return false;
      cost += prices[k]! * (x + Math.abs(x));
      if (cost > top) return false;
    }
    for (let k = limitedColumns; k < columns; k += 1) {
      const x = rows[row + k]! + uses[k]!;
      cost += prices[k]! * (x + Math.abs(x));
      if (cost > top) return false;
    }
    return placement.terms === null || cost + 2 * placement.termsOf(to, -1, item) <= top;
  }

  private allowsSoftly(to: number, ceiling: number): boolean {
    const { placement, item, uses } = this;
    const { columns, prices, home, transientColumns } = placement.problem;
    const { rows, limitedColumns, softRoom } = placement;
    const { unitPrices, step, weights } = softRoom;
    const weight = 2 * weights[to]!;
    const row = to * placement.stride;
    const kept = home[item] === to ? transientColumns : 0;
    const top = 2 * ceiling;
    let cost = 0;
    for (let k = 0; k < limitedColumns; k += 1) {
      const now = rows[row + k]!;
      const x = now + uses[k]!;
      const over = (k < kept ? now : x) - rows[row + columns + k]!;
      cost += prices[k]! * (x + Math.abs(x));
      if (over > 0) cost += weight * (unitPrices[k]! * over + step);
      if (cost > top) return false;
    }
    for (let k = limitedColumns; k < columns; k += 1) {
      const x = rows[row + k]! + uses[k]!;
      cost += prices[k]! * (x + Math.abs(x));
    }
    return placement.terms === null ? cost <= top : cost + 2 * placement.termsOf(to, -1, item) <= top;
  }
}
