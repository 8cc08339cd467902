import type { Placement } from '../kernel/placement.ts';

/**
 * Sends items home whose move gains less than `price` each, the least useful first, until every remaining move pays.
 * Returns how many went home. Without transient columns the result equals one computed after each return.
 */
export function dropUseless(placement: Placement, price: number): number {
  let dropped = 0;
  for (let again = true; again; ) {
    again = false;
    const items = placement.movedItems.slice(0, placement.movedCount);
    const losses = new Map(Array.from(items, (item) => [item, lossAtHome(placement, item)] as const));
    items.sort((a, b) => losses.get(a)! - losses.get(b)! || a - b);
    for (const item of items) {
      if (lossAtHome(placement, item) >= price) continue;
      placement.move(item, placement.problem.home[item]!);
      dropped += 1;
      again = true;
    }
  }
  return dropped;
}

/** Rise of the cost when an item goes home, without its price off its home. Infinite: it cannot go home. */
function lossAtHome(placement: Placement, item: number): number {
  const host = placement.host[item]!;
  const home = placement.problem.home[item]!;
  const there = placement.costWith(home, item, Number.POSITIVE_INFINITY);
  if (there === Number.POSITIVE_INFINITY || !placement.admits(item, home, -1)) return Number.POSITIVE_INFINITY;
  const change = placement.costWithout(host, item) - placement.costOf(host) + there - placement.costOf(home);
  return change - placement.priceAway(item, host);
}
