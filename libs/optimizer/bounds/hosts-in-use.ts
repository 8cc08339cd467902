/** Demand and capacities of one resource. All numbers at least 0. */
export interface ResourceDemand {
  demand: number;
  capacities: ArrayLike<number>;
}

function descending(values: ArrayLike<number>): number[] {
  return Array.from(values).sort((a, b) => b - a);
}

/**
 * Least number of hosts that can hold all demands. Infinite when all hosts together are too small.
 *
 * Proof. n hosts together have at most the sum of the n largest capacities of each resource. This sum must reach the
 * demand of every resource.
 */
export function hostsInUseBound(resources: readonly ResourceDemand[]): number {
  return Math.max(0, ...resources.map(({ demand, capacities }) => hostsFor(demand, descending(capacities))));
}

function hostsFor(demand: number, capacities: number[]): number {
  let sum = 0;
  if (demand <= 0) return 0;
  for (const [index, capacity] of capacities.entries()) {
    sum += capacity;
    if (sum >= demand) return index + 1;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * Least price of emptying `count` hosts, given the total price of all items of each host (1 each for moves, GiB for
 * memory).
 *
 * Proof. An emptied host loses all its items, and no item is on two hosts. So the cheapest hosts have the least sum.
 * Items that arrive in between and leave again only increase the price.
 */
export function emptyingBound(prices: ArrayLike<number>, count: number): number {
  return descending(prices)
    .slice(prices.length - Math.min(count, prices.length))
    .reduce((sum, price) => sum + price, 0);
}

/** Most hosts that can be emptied for a price: the largest count whose `emptyingBound` is not above it. */
export function mostEmptied(prices: ArrayLike<number>, most: number): number {
  let sum = 0;
  let count = 0;
  for (const price of descending(prices).reverse()) {
    sum += price;
    if (sum > most) break;
    count += 1;
  }
  return count;
}
