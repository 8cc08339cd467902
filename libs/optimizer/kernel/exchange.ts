import type { Placement } from './placement.ts';

/**
 * One item against many of another host: what both hosts hold without it and with it is computed once, so that each partner costs
 * only a look at its own uses. No number with a fraction goes from call to call: those would be put on the heap.
 */
export class Exchange {
  private readonly placement: Placement;
  private item = -1;
  private a = -1;
  private b = -1;
  /** Most that the two hosts may cost afterwards, the partner's price of being away included. */
  private ceiling = 0;
  /** Sums of a without the item, then of b with it. */
  private readonly sums: Float64Array;
  /** A partner must use at most this much, which is free at a; then at least this much, which b lacks with the item. */
  private readonly bounds: Float64Array;

  constructor(placement: Placement) {
    this.placement = placement;
    this.sums = new Float64Array(2 * placement.problem.columns);
    this.bounds = new Float64Array(2 * placement.limitedColumns);
  }

  /** Begins with `item`, which would go to host `b` if the cost rises by at most `most`. */
  begin(item: number, b: number, most: number): void {
    const { placement, sums } = this;
    const { problem, rows, stride, host } = placement;
    const { columns, use } = problem;
    const a = host[item]!;
    this.item = item;
    this.a = a;
    this.b = b;
    this.ceiling =
      most + placement.priceAway(item, a) - placement.priceAway(item, b) + placement.costOf(a) + placement.costOf(b);
    for (let k = 0; k < columns; k += 1) {
      const amount = use[item * columns + k]!;
      sums[k] = rows[a * stride + k]! - amount;
      sums[columns + k] = rows[b * stride + k]! + amount;
    }
    if (placement.softRoom.price > 0) this.holdForPartner();
    else this.boundPartner();
  }

  /** With soft room `bounds` holds how far a, then b, are above their limits before the partner counts. */
  private holdForPartner(): void {
    const { placement, bounds, item, a, b } = this;
    const { rows, stride, limitedColumns } = placement;
    const { columns, transientColumns, use, home } = placement.problem;
    for (let k = 0; k < limitedColumns; k += 1) {
      const amount = use[item * columns + k]!;
      const freed = k < transientColumns && home[item] === a ? 0 : amount;
      const filled = k < transientColumns && home[item] === b ? 0 : amount;
      bounds[k] = rows[a * stride + k]! - rows[a * stride + columns + k]! - freed;
      bounds[limitedColumns + k] = rows[b * stride + k]! - rows[b * stride + columns + k]! + filled;
    }
  }

  private boundPartner(): void {
    const { placement, bounds, item, a, b } = this;
    const { rows, stride, limitedColumns } = placement;
    const { columns, transientColumns, use, home } = placement.problem;
    for (let k = 0; k < limitedColumns; k += 1) {
      const amount = use[item * columns + k]!;
      // A host above its limit may stay there, but not rise.
      const freed = k < transientColumns && home[item] === a ? 0 : amount;
      bounds[k] = freed + Math.max(0, rows[a * stride + columns + k]! - rows[a * stride + k]!);
      const kept = k < transientColumns && home[item] === b;
      const lack = amount - Math.max(0, rows[b * stride + columns + k]! - rows[b * stride + k]!);
      bounds[limitedColumns + k] = kept ? Number.NEGATIVE_INFINITY : lack;
    }
  }

  /** Whether room and cost, that of groups excepted, allow to exchange the item with `partner`, which is on b. */
  allows(partner: number): boolean {
    const { columns } = this.placement.problem;
    if (this.placement.softRoom.price > 0)
      return this.placement.canReach(partner, this.a) && this.allowsSoftly(partner);
    return this.fits(partner, partner * columns) && this.pays(partner, partner * columns);
  }

  private allowsSoftly(partner: number): boolean {
    const { placement, item, a, b, sums, bounds } = this;
    const { limitedColumns, softRoom } = placement;
    const { columns, transientColumns, prices, use, home } = placement.problem;
    const { unitPrices, step, weights } = softRoom;
    const weightA = 2 * weights[a]!;
    const weightB = 2 * weights[b]!;
    const from = partner * columns;
    const top = 2 * (this.ceiling - placement.priceAway(partner, a) + placement.priceAway(partner, b));
    const homeOf = home[partner]!;
    let cost = 0;
    for (let k = 0; k < limitedColumns; k += 1) {
      const amount = use[from + k]!;
      const atA = sums[k]! + amount;
      const atB = sums[columns + k]! - amount;
      const overA = bounds[k]! + (k < transientColumns && homeOf === a ? 0 : amount);
      const overB = bounds[limitedColumns + k]! - (k < transientColumns && homeOf === b ? 0 : amount);
      cost += prices[k]! * (atA + Math.abs(atA) + atB + Math.abs(atB));
      if (overA > 0) cost += weightA * (unitPrices[k]! * overA + step);
      if (overB > 0) cost += weightB * (unitPrices[k]! * overB + step);
      if (cost > top) return false;
    }
    for (let k = limitedColumns; k < columns; k += 1) {
      const amount = use[from + k]!;
      const atA = sums[k]! + amount;
      const atB = sums[columns + k]! - amount;
      cost += prices[k]! * (atA + Math.abs(atA) + atB + Math.abs(atB));
    }
    if (placement.terms === null) return cost <= top;
    return cost + 2 * (placement.termsOf(a, item, partner) + placement.termsOf(b, partner, item)) <= top;
  }

  /** Whether a partner on b and the item have room in each other's places. */
  private fits(partner: number, from: number): boolean {
    const { limitedColumns } = this.placement;
    const { transientColumns, use } = this.placement.problem;
    const { bounds } = this;
    if (transientColumns > 0 && !this.fitsTransient(partner, from)) return false;
    for (let k = transientColumns; k < limitedColumns; k += 1) {
      const amount = use[from + k]!;
      if (amount > bounds[k]! || amount < bounds[limitedColumns + k]!) return false;
    }
    return true;
  }

  /** A partner that comes home needs no room in transient columns, one that leaves home frees none. */
  private fitsTransient(partner: number, from: number): boolean {
    const { limitedColumns } = this.placement;
    const { transientColumns, use, home } = this.placement.problem;
    const { a, b, bounds } = this;
    const own = home[partner]!;
    for (let k = 0; k < transientColumns; k += 1) {
      const amount = use[from + k]!;
      if (own !== a && amount > bounds[k]!) return false;
      if ((own === b ? 0 : amount) < bounds[limitedColumns + k]!) return false;
    }
    return true;
  }

  private pays(partner: number, from: number): boolean {
    const { placement, item, a, b, sums } = this;
    const { columns, prices, use } = placement.problem;
    const top = 2 * (this.ceiling - placement.priceAway(partner, a) + placement.priceAway(partner, b));
    let cost = 0;
    for (let k = 0; k < columns; k += 1) {
      const amount = use[from + k]!;
      const atA = sums[k]! + amount;
      const atB = sums[columns + k]! - amount;
      cost += prices[k]! * (atA + Math.abs(atA) + atB + Math.abs(atB));
      if (cost > top) return false;
    }
    if (placement.terms === null) return true;
    return cost + 2 * (placement.termsOf(a, item, partner) + placement.termsOf(b, partner, item)) <= top;
  }
}
