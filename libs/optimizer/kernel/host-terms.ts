import type { HostTerms, Problem } from '../problem/problem.ts';

/**
 * Costs of a host that are not hinges: squares of shares, missing places for flavors, and a fixed cost of a used host.
 * Guides smooth the steps of these costs. They steer the search and are not part of the objective.
 */
export class HostTermCosts {
  private readonly problem: Problem;
  private readonly terms: HostTerms;
  /** Places on each empty host, flavors × hosts. */
  private readonly mostSlots: Float64Array;
  /** Weight of the guides, from 0 to about 0.5. */
  guidance = 0;

  constructor(problem: Problem, terms: HostTerms) {
    this.problem = problem;
    this.terms = terms;
    const flavors = terms.slotPrices.length;
    this.mostSlots = new Float64Array(flavors * problem.hosts);
    for (let flavor = 0; flavor < flavors; flavor += 1)
      for (let host = 0; host < problem.hosts; host += 1) {
        const empty = problem.base.subarray(host * problem.columns, (host + 1) * problem.columns);
        this.mostSlots[flavor * problem.hosts + host] = Math.floor(this.places(flavor, host, empty));
      }
  }

  /** Places for a flavor on a host with sums `x`, including the fraction of the next place. */
  private places(flavor: number, host: number, x: Float64Array): number {
    const { columns, limit } = this.problem;
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < columns; k += 1) {
      const need = this.terms.slotNeeds[flavor * columns + k]!;
      if (need > 0) least = Math.min(least, (limit[host * columns + k]! - x[k]!) / need);
    }
    return least < Number.POSITIVE_INFINITY ? Math.max(0, least) : 0;
  }

  /** Cost of a host with sums `x` and this number of items, including guides. */
  costAt(host: number, x: Float64Array, items: number): number {
    return this.objectiveAt(host, x, items) + (this.guidance === 0 ? 0 : this.guideAt(host, x));
  }

  private objectiveAt(host: number, x: Float64Array, items: number): number {
    const { slotPrices, inUsePrices } = this.terms;
    let cost = (items > 0 ? inUsePrices[host]! : 0) + this.squaresAt(host, x);
    for (let flavor = 0; flavor < slotPrices.length; flavor += 1) {
      const most = this.mostSlots[flavor * this.problem.hosts + host]!;
      cost += slotPrices[flavor]! * (most - Math.floor(this.places(flavor, host, x)));
    }
    return cost;
  }

  private squaresAt(host: number, x: Float64Array): number {
    const { squarePrices } = this.terms;
    let cost = 0;
    for (let k = 0; k < squarePrices.length; k += 1) {
      if (squarePrices[k] === 0) continue;
      const share = this.shareAt(host, k, x);
      cost += squarePrices[k]! * share * share;
    }
    return cost;
  }

  private shareAt(host: number, k: number, x: Float64Array): number {
    const { columns, base, limit } = this.problem;
    const empty = base[host * columns + k]!;
    const room = limit[host * columns + k]! - empty;
    return room > 0 ? (x[k]! - empty) / room : 0;
  }

  /**
   * Part of the cost from the guides. It is lower the nearer a host is to another place, and the fuller or emptier it
   * is.
   */
  guideAt(host: number, x: Float64Array): number {
    if (this.guidance === 0) return 0;
    const { slotPrices, inUsePrices } = this.terms;
    let guide = inUsePrices[host]! * (1 - this.meanSquareShare(host, x));
    for (let flavor = 0; flavor < slotPrices.length; flavor += 1) {
      const places = this.places(flavor, host, x);
      const next = places - Math.floor(places);
      guide -= slotPrices[flavor]! * next * next;
    }
    return this.guidance * guide;
  }

  private meanSquareShare(host: number, x: Float64Array): number {
    const { columns, limit } = this.problem;
    let sum = 0;
    let counted = 0;
    for (let k = 0; k < columns; k += 1) {
      if (limit[host * columns + k] === Number.POSITIVE_INFINITY) continue;
      const share = this.shareAt(host, k, x);
      sum += share * share;
      counted += 1;
    }
    return counted === 0 ? 0 : sum / counted;
  }
}
