import type { Problem } from '../problem/problem.ts';

/** Fixed cost of exceeding a limit, as a fraction of the cost of an item's mean use above it. */
const stepPart = 0.2;
/** Relative change of a host's weight per step, and the largest weight. With these, costs stay exact whole numbers. */
const weightStep = 1 / 8;
const greatestWeight = 100;

/**
 * Limits as prices instead of hard limits. While `price` is above 0, hosts may exceed their limits at a price, so
 * items can pass each other where room is tight. A mean item's use above a limit costs `price` times the cost of a
 * mean item in a column. The price starts low for passing items, and increases for hosts that stay above their limits.
 * All prices are whole numbers, so whole costs stay whole.
 */
export class SoftRoom {
  /** 0: limits are hard. */
  price = 0;
  private readonly problem: Problem;
  private readonly rows: Float64Array;
  private readonly stride: number;
  private readonly limitedColumns: number;
  /** Current price of a unit above the limit, by column, and of exceeding it at all. */
  readonly unitPrices: Float64Array;
  step = 0;
  /** Factor of the price for each host. Whole numbers. */
  readonly weights: Int32Array;
  private knownMeans: Float64Array | undefined;

  /** `layout` is that of the placement. */
  constructor(problem: Problem, layout: { rows: Float64Array; stride: number; limitedColumns: number }) {
    this.problem = problem;
    this.rows = layout.rows;
    this.stride = layout.stride;
    this.limitedColumns = layout.limitedColumns;
    this.unitPrices = new Float64Array(problem.columns);
    this.weights = new Int32Array(problem.hosts).fill(1);
  }

  /** Computed on demand, because most placements have hard limits. */
  private get meanUses(): Float64Array {
    this.knownMeans ??= meanUsesOf(this.problem);
    return this.knownMeans;
  }

  /** Cost of a mean item's use of a column, on average over columns. */
  get itemCost(): number {
    const { columns, prices } = this.problem;
    return this.meanUses.reduce((sum, mean, k) => sum + mean * prices[k]!, 0) / columns;
  }

  setPrice(price: number): void {
    if (this.price === 0) this.weights.fill(1);
    this.price = price;
    const { itemCost } = this;
    this.step = Math.ceil(price * stepPart * itemCost);
    this.meanUses.forEach((mean, k) => {
      this.unitPrices[k] = mean > 0 ? Math.max(1, Math.ceil((price * itemCost) / mean)) : 0;
    });
  }

  /** Price of a host above its limits. */
  overflowOf(host: number): number {
    const { columns } = this.problem;
    const { rows } = this;
    const row = host * this.stride;
    let cost = 0;
    for (let k = 0; k < this.limitedColumns; k += 1) {
      const over = rows[row + k]! - rows[row + columns + k]!;
      if (over > 0) cost += this.unitPrices[k]! * over + this.step;
    }
    return this.weights[host]! * cost;
  }

  /** Increases the factor of hosts above their limits (overflow above 0), and lowers that of other hosts. */
  press(overflows: Float64Array): void {
    const { weights } = this;
    for (let host = 0; host < weights.length; host += 1) {
      const change = Math.ceil(weights[host]! * weightStep);
      const next = weights[host]! + (overflows[host]! > 0 ? change : -change);
      weights[host] = Math.min(greatestWeight, Math.max(1, next));
    }
  }

  /**
   * Cost of a host by its sums and limits without `leaving` and with `arriving` (-1: none). Infinite when above
   * `ceiling`. In transient columns an item's home keeps its room whether the item is there or not.
   */
  costAfter(host: number, leaving: number, arriving: number, ceiling: number): number {
    const { columns, transientColumns, prices, use, home } = this.problem;
    const { rows, unitPrices } = this;
    const row = host * this.stride;
    const gone = leaving < 0 ? 0 : 1;
    const come = arriving < 0 ? 0 : 1;
    const goneAt = gone * leaving * columns;
    const comeAt = come * arriving * columns;
    const frees = gone === 1 && home[leaving] === host ? 0 : gone;
    const fills = come === 1 && home[arriving] === host ? 0 : come;
    const weight = this.weights[host]!;
    const top = 2 * ceiling;
    let cost = 0;
    let k = 0;
    for (; k < this.limitedColumns; k += 1) {
      const out = use[goneAt + k]!;
      const into = use[comeAt + k]!;
      const now = rows[row + k]!;
      const x = now + come * into - gone * out;
      const held = k < transientColumns ? now + fills * into - frees * out : x;
      const over = held - rows[row + columns + k]!;
      cost += prices[k]! * (x + Math.abs(x));
      if (over > 0) cost += 2 * weight * (unitPrices[k]! * over + this.step);
      if (cost > top) return Number.POSITIVE_INFINITY;
    }
    for (; k < columns; k += 1) {
      const x = rows[row + k]! + come * use[comeAt + k]! - gone * use[goneAt + k]!;
      cost += prices[k]! * (x + Math.abs(x));
    }
    return cost > top ? Number.POSITIVE_INFINITY : cost / 2;
  }
}

function meanUsesOf({ items, columns, use }: Problem): Float64Array {
  const means = new Float64Array(columns);
  for (let at = 0; at < use.length; at += 1) means[at % columns]! += Math.abs(use[at]!) / items;
  return means;
}
