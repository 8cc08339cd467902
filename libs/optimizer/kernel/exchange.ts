import type { Placement } from './placement.ts';

/** Numbers per hinge: both sums, absolute value of their sum, price. */
const hingeSize = 4;

/**
 * Checks one item against many items of another host. The contents of both hosts with and without the item are
 * computed once, so each partner needs only a check of its uses. Calls pass no fractional numbers, because V8 would
 * allocate them on the heap.
 *
 * Where room is tight, nearly all partners fail at one of the first columns. Therefore bounds of room are computed on
 * demand, and costs only for the first partner with room.
 *
 * In a column both hosts cost `max(0, A) + max(0, B)`. `A + B` is the same for every exchange, so they cost at least
 * `max(0, A + B)`. Twice the excess above that is `|A| + |B| - |A + B|`. Only this excess is summed for a partner, and
 * compared with the slack above the least costs. Columns where no partner's use moves a sum across 0 are omitted. One
 * or two columns reject most partners that are too expensive.
 */
export class Exchange {
  /** See `check`. */
  found = -1;
  private readonly placement: Placement;
  private item = -1;
  private a = -1;
  private b = -1;
  /**
   * Twice the allowed cost of the two hosts above the least cost after the exchange, including the partner's price off
   * its home. Only if `isPriced`.
   */
  private slack = 0;
  private isPriced = false;
  /** Remaining slack for the other costs, after the sums of an acceptable partner. */
  private left = 0;
  /**
   * Columns that partners can change, with their numbers: sum of a without the item, sum of b with it, absolute value
   * of their sum, price.
   */
  private readonly hingeColumns: Int32Array;
  private readonly hinges: Float64Array;
  private hingeCount = 0;
  /**
   * Upper limit of a partner's use (free at a) and lower limit (missing at b with the item), for the first `bounded`
   * columns.
   */
  private readonly most: Float64Array;
  private readonly least: Float64Array;
  private bounded = 0;
  /** Least and greatest use of any item, by column. */
  private readonly leastUse: Float64Array;
  private readonly mostUse: Float64Array;

  constructor(placement: Placement) {
    const { columns, use } = placement.problem;
    this.placement = placement;
    this.hingeColumns = new Int32Array(columns);
    this.hinges = new Float64Array(hingeSize * columns);
    this.most = new Float64Array(placement.limitedColumns);
    this.least = new Float64Array(placement.limitedColumns);
    this.leastUse = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    this.mostUse = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY);
    for (let at = 0; at < use.length; at += 1) {
      const k = at % columns;
      this.leastUse[k] = Math.min(this.leastUse[k]!, use[at]!);
      this.mostUse[k] = Math.max(this.mostUse[k]!, use[at]!);
    }
  }

  /** Starts with `item`, which may move to host `b` if the cost increases by at most `most`. */
  begin(item: number, b: number, most: number): void {
    const { placement } = this;
    const a = placement.host[item]!;
    this.item = item;
    this.a = a;
    this.b = b;
    this.slack =
      2 *
      (most + placement.priceAway(item, a) - placement.priceAway(item, b) + placement.costOf(a) + placement.costOf(b));
    this.isPriced = false;
    this.bounded = 0;
  }

  /** With soft room, `most` and `least` hold the excess of a and b above their limits before the partner counts. */
  private boundOverflow(): void {
    const { placement, item, a, b } = this;
    const { rows, stride, limitedColumns } = placement;
    const { columns, transientColumns, use, home } = placement.problem;
    for (let k = 0; k < limitedColumns; k += 1) {
      const amount = use[item * columns + k]!;
      const freed = k < transientColumns && home[item] === a ? 0 : amount;
      const filled = k < transientColumns && home[item] === b ? 0 : amount;
      this.most[k] = rows[a * stride + k]! - rows[a * stride + columns + k]! - freed;
      this.least[k] = rows[b * stride + k]! - rows[b * stride + columns + k]! + filled;
    }
    this.bounded = limitedColumns;
  }

  /** Computes the bounds of one more column. */
  private boundNext(): void {
    const { placement, item, a, b, bounded: k } = this;
    const { rows, stride } = placement;
    const { columns, transientColumns, use, home } = placement.problem;
    const amount = use[item * columns + k]!;
    // A host above its limit may stay above it, but its excess must not increase.
    const freed = k < transientColumns && home[item] === a ? 0 : amount;
    this.most[k] = freed + Math.max(0, rows[a * stride + columns + k]! - rows[a * stride + k]!);
    const kept = k < transientColumns && home[item] === b;
    const lack = amount - Math.max(0, rows[b * stride + columns + k]! - rows[b * stride + k]!);
    this.least[k] = kept ? Number.NEGATIVE_INFINITY : lack;
    this.bounded = k + 1;
  }

  /** Subtracts the least costs from the slack, and lists the columns that partners can change. */
  private listHinges(): void {
    const { placement, item, a, b, hinges, hingeColumns, leastUse, mostUse } = this;
    const { rows, stride, firstPriced } = placement;
    const { columns, prices, use } = placement.problem;
    let least = 0;
    let count = 0;
    for (let k = firstPriced; k < columns; k += 1) {
      const amount = use[item * columns + k]!;
      const atA = rows[a * stride + k]! - amount;
      const atB = rows[b * stride + k]! + amount;
      const size = Math.abs(atA + atB);
      const price = prices[k]!;
      least += price * (atA + atB + size);
      const low = leastUse[k]!;
      const high = mostUse[k]!;
      if ((atA + high <= 0 && atB <= low) || (atA + low >= 0 && atB >= high)) continue;
      const hinge = hingeSize * count;
      hingeColumns[count] = k;
      hinges[hinge] = atA;
      hinges[hinge + 1] = atB;
      hinges[hinge + 2] = size;
      hinges[hinge + 3] = price;
      count += 1;
    }
    this.slack -= least;
    this.hingeCount = count;
    this.isPriced = true;
  }

  /**
   * Checks up to `tries` residents of b, starting at `index`, until one is allowed. Considers only those whose `places`
   * are at most `last`. Returns the number of checks. `found` is the allowed resident, -1: none.
   */
  check(index: number, tries: number, places: Int32Array, last: number): number {
    const { b } = this;
    const { residents } = this.placement;
    const count = residents.countOf(b);
    let at = index;
    for (let checked = 1; checked <= tries; checked += 1) {
      const partner = residents.at(b, at);
      at = at + 1 === count ? 0 : at + 1;
      if (places[partner]! > last || !this.allows(partner)) continue;
      this.found = partner;
      return checked;
    }
    this.found = -1;
    return tries;
  }

  /** Whether room and cost allow an exchange of the item with `partner` on b. Costs of groups are not included. */
  allows(partner: number): boolean {
    const { placement, a, b } = this;
    const isSoft = placement.softRoom.price > 0;
    const from = partner * placement.problem.columns;
    if (isSoft ? !placement.canReach(partner, a) : !this.fits(partner, from)) return false;
    if (!this.isPriced) this.listHinges();
    const left = this.slack - 2 * (placement.priceAway(partner, a) - placement.priceAway(partner, b));
    return left >= 0 && this.pays(partner, from, left);
  }

  /**
   * Whether a partner on b and the item have room in each other's place. In transient columns, a partner that returns
   * home needs no room, and a partner that leaves home frees none.
   */
  private fits(partner: number, from: number): boolean {
    const { a, b, most, least } = this;
    const { limitedColumns } = this.placement;
    const { transientColumns, use, home } = this.placement.problem;
    const own = home[partner]!;
    for (let k = 0; k < limitedColumns; k += 1) {
      if (k === this.bounded) this.boundNext();
      const amount = use[from + k]!;
      const isKept = k < transientColumns;
      if (amount > most[k]! && !(isKept && own === a)) return false;
      if ((isKept && own === b ? 0 : amount) < least[k]!) return false;
    }
    return true;
  }

  private pays(partner: number, from: number, slack: number): boolean {
    const { placement, hinges, hingeColumns, hingeCount } = this;
    const { use } = placement.problem;
    let left = slack;
    for (let at = 0; at < hingeCount; at += 1) {
      const amount = use[from + hingeColumns[at]!]!;
      const hinge = hingeSize * at;
      const sizes = Math.abs(hinges[hinge]! + amount) + Math.abs(hinges[hinge + 1]! - amount);
      left -= hinges[hinge + 3]! * (sizes - hinges[hinge + 2]!);
      if (left < 0) return false;
    }
    if (!placement.costsMore) return true;
    this.left = left;
    return this.paysMore(partner, from);
  }

  /** Whether overflow and terms are paid for, too. */
  private paysMore(partner: number, from: number): boolean {
    const { placement, item, a, b } = this;
    if (placement.softRoom.price > 0 && !this.paysOverflow(partner, from)) return false;
    if (placement.terms === null) return true;
    return 2 * (placement.termsOf(a, item, partner) + placement.termsOf(b, partner, item)) <= this.left;
  }

  private paysOverflow(partner: number, from: number): boolean {
    const { placement, a, b, most, least } = this;
    const { limitedColumns, softRoom } = placement;
    const { transientColumns, use, home } = placement.problem;
    const { unitPrices, step, weights } = softRoom;
    const weightA = 2 * weights[a]!;
    const weightB = 2 * weights[b]!;
    const own = home[partner]!;
    if (this.bounded === 0) this.boundOverflow();
    let { left } = this;
    for (let k = 0; k < limitedColumns; k += 1) {
      const amount = use[from + k]!;
      const overA = most[k]! + (k < transientColumns && own === a ? 0 : amount);
      const overB = least[k]! - (k < transientColumns && own === b ? 0 : amount);
      if (overA > 0) left -= weightA * (unitPrices[k]! * overA + step);
      if (overB > 0) left -= weightB * (unitPrices[k]! * overB + step);
      if (left < 0) return false;
    }
    this.left = left;
    return true;
  }
}
