import type { Placement } from './placement.ts';

/**
 * One item against many of another host: what both hosts hold without it and with it is computed once, so that each partner costs
 * only a look at its own uses.
 */
export class Exchange {
  private readonly placement: Placement;
  private item = -1;
  private a = -1;
  private b = -1;
  /** Sums of a without the item and of b with it. */
  private readonly left: Float64Array;
  private readonly joined: Float64Array;
  /** A partner must use at most `room`, which is free at a, and at least `lack`, which b then lacks. */
  private readonly room: Float64Array;
  private readonly lack: Float64Array;

  constructor(placement: Placement) {
    const { columns } = placement.problem;
    this.placement = placement;
    this.left = new Float64Array(columns);
    this.joined = new Float64Array(columns);
    this.room = new Float64Array(columns);
    this.lack = new Float64Array(columns);
  }

  /** Begins with `item`, which would go to host `b`. */
  begin(item: number, b: number): void {
    const { problem, rows, stride, host } = this.placement;
    const { columns, transientColumns, use, home } = problem;
    const a = host[item]!;
    this.item = item;
    this.a = a;
    this.b = b;
    for (let k = 0; k < columns; k += 1) {
      const amount = use[item * columns + k]!;
      const loadA = rows[a * stride + k]!;
      const loadB = rows[b * stride + k]!;
      this.left[k] = loadA - amount;
      this.joined[k] = loadB + amount;
      // A host above its limit may stay there, but not rise.
      const freed = k < transientColumns && home[item] === a ? 0 : amount;
      this.room[k] = freed + Math.max(0, rows[a * stride + columns + k]! - loadA);
      const kept = k < transientColumns && home[item] === b;
      this.lack[k] = kept ? Number.NEGATIVE_INFINITY : amount - Math.max(0, rows[b * stride + columns + k]! - loadB);
    }
  }

  /** Whether a partner on b and the item have room in each other's places. */
  fits(partner: number): boolean {
    if (this.placement.softRoom.price > 0) return true;
    const { columns, transientColumns, use, home } = this.placement.problem;
    const { room, lack } = this;
    const from = partner * columns;
    if (transientColumns > 0 && !this.fitsTransient(home[partner]!, from)) return false;
    for (let k = transientColumns; k < columns; k += 1) {
      const amount = use[from + k]!;
      if (amount > room[k]! || amount < lack[k]!) return false;
    }
    return true;
  }

  /** A partner that comes home needs no room in transient columns, one that leaves home frees none. */
  private fitsTransient(home: number, from: number): boolean {
    const { transientColumns, use } = this.placement.problem;
    const { a, b, room, lack } = this;
    for (let k = 0; k < transientColumns; k += 1) {
      const amount = use[from + k]!;
      if (home !== a && amount > room[k]!) return false;
      if ((home === b ? 0 : amount) < lack[k]!) return false;
    }
    return true;
  }

  /** By how much the cost changes, the cost of groups excepted; anything above `most` when it is above. */
  change(partner: number, most: number): number {
    const { placement, item, a, b, left, joined } = this;
    const { columns, prices, use } = placement.problem;
    const from = partner * columns;
    const fixed =
      placement.priceAway(item, b) -
      placement.priceAway(item, a) +
      placement.priceAway(partner, a) -
      placement.priceAway(partner, b) -
      placement.costOf(a) -
      placement.costOf(b);
    if (placement.softRoom.price > 0) {
      const atA = placement.costExchanged(a, item, partner, most - fixed);
      return atA + placement.costExchanged(b, partner, item, most - fixed - atA) + fixed;
    }
    const top = 2 * (most - fixed);
    let cost = 0;
    for (let k = 0; k < columns; k += 1) {
      const amount = use[from + k]!;
      const atA = left[k]! + amount;
      const atB = joined[k]! - amount;
      cost += prices[k]! * (atA + Math.abs(atA) + atB + Math.abs(atB));
      if (cost > top) return Number.POSITIVE_INFINITY;
    }
    return cost / 2 + fixed + placement.termsOf(a, item, partner) + placement.termsOf(b, partner, item);
  }
}
