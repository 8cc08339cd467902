import type { Placement } from './placement.ts';

/**
 * Checks one item against many hosts. Most hosts lack room, so the saving at the item's own host is computed only for
 * the first host with room. Calls pass no fractional numbers, because V8 would allocate them on the heap.
 *
 * Twice the rise of a host's cost in a column is `|X + u| - |X| + u`. A sum of `|X + u| - |X| + |u|`, which is never
 * below 0, only grows. Once it exceeds the allowance, the other columns need no check.
 */
export class Departure {
  private readonly placement: Placement;
  private item = -1;
  /**
   * Allowed increase of the cost. If `isPriced`: twice that amount, including the saving at the host that the item
   * leaves.
   */
  private allowance = 0;
  private isPriced = false;
  /** Remaining allowance for the other costs, after the sums of an acceptable host. */
  private left = 0;

  constructor(placement: Placement) {
    this.placement = placement;
  }

  /** Starts with `item`, which may leave its host if the cost increases by at most `most`. */
  begin(item: number, most: number): void {
    this.item = item;
    this.allowance = most;
    this.isPriced = false;
  }

  private price(): void {
    const { placement, item } = this;
    const { columns, prices, use } = placement.problem;
    const from = placement.host[item]!;
    const saved = placement.costOf(from) - placement.costWithout(from, item) + placement.priceAway(item, from);
    this.allowance = 2 * (this.allowance + saved);
    for (let k = placement.firstPriced; k < columns; k += 1) {
      const amount = use[item * columns + k]!;
      if (amount < 0) this.allowance -= 2 * prices[k]! * amount;
    }
    this.isPriced = true;
  }

  /** Whether room and cost allow the item to move to `to`. Costs of groups are not included. */
  allows(to: number): boolean {
    const { placement, item } = this;
    const isSoft = placement.softRoom.price > 0;
    if (isSoft ? !placement.canReach(item, to) : !this.fits(to)) return false;
    if (!this.isPriced) this.price();
    let left = this.allowance - 2 * placement.priceAway(item, to);
    if (placement.costsMore) left += 2 * placement.extras[to]!;
    return left >= 0 && this.pays(to, left);
  }

  /** Whether the host has room. In transient columns, the item's home keeps its room. */
  private fits(to: number): boolean {
    const { placement, item } = this;
    const { rows, limitedColumns } = placement;
    const { columns, use, home, transientColumns } = placement.problem;
    const from = item * columns;
    const row = to * placement.stride;
    for (let k = home[item] === to ? transientColumns : 0; k < limitedColumns; k += 1)
      if (rows[row + k]! + use[from + k]! > rows[row + columns + k]!) return false;
    return true;
  }

  private pays(to: number, slack: number): boolean {
    const { placement, item } = this;
    const { rows, firstPriced } = placement;
    const { columns, prices, use } = placement.problem;
    const from = item * columns;
    const row = to * placement.stride;
    let left = slack;
    for (let k = firstPriced; k < columns; k += 1) {
      const amount = use[from + k]!;
      const x = rows[row + k]!;
      left -= prices[k]! * (Math.abs(x + amount) - Math.abs(x) + Math.abs(amount));
      if (left < 0) return false;
    }
    if (!placement.costsMore) return true;
    this.left = left;
    return this.paysMore(to);
  }

  /** Whether the remaining allowance also covers overflow and terms. */
  private paysMore(to: number): boolean {
    const { placement, item } = this;
    if (placement.softRoom.price > 0 && !this.paysOverflow(to)) return false;
    return placement.terms === null || 2 * placement.termsOf(to, -1, item) <= this.left;
  }

  private paysOverflow(to: number): boolean {
    const { placement, item } = this;
    const { rows, limitedColumns, softRoom } = placement;
    const { columns, use, home, transientColumns } = placement.problem;
    const { unitPrices, step, weights } = softRoom;
    const weight = 2 * weights[to]!;
    const from = item * columns;
    const row = to * placement.stride;
    const kept = home[item] === to ? transientColumns : 0;
    let { left } = this;
    for (let k = 0; k < limitedColumns; k += 1) {
      const filled = k < kept ? 0 : use[from + k]!;
      const over = rows[row + k]! + filled - rows[row + columns + k]!;
      if (over <= 0) continue;
      left -= weight * (unitPrices[k]! * over + step);
      if (left < 0) return false;
    }
    this.left = left;
    return true;
  }
}
