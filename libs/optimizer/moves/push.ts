import { admitsPair } from '../kernel/admits-pair.ts';
import type { Neighbourhood } from './neighbourhood.ts';
import { trySwap } from './swap.ts';

/**
 * Moves `pushed` to `to` and `item` into its place, if the cost increases by at most `threshold`. `pushed` frees the
 * room that `item` needs.
 */
export function tryPush(around: Neighbourhood, item: number, pushed: number, to: number, threshold: number): boolean {
  const { placement } = around;
  const a = placement.host[item]!;
  const b = placement.host[pushed]!;
  if (to === a) return trySwap(around, item, pushed, threshold);
  if (a === b || b === to) return false;
  around.evaluations += 1;
  const price =
    placement.priceAway(item, b) -
    placement.priceAway(item, a) +
    placement.priceAway(pushed, to) -
    placement.priceAway(pushed, b);
  let ceiling =
    threshold -
    price +
    placement.costOf(a) +
    placement.costOf(b) +
    placement.costOf(to) -
    placement.costWithout(a, item);
  const exchanged = placement.costExchanged(b, pushed, item, ceiling);
  ceiling -= exchanged;
  if (!(ceiling >= 0) || placement.costWith(to, pushed, ceiling) > ceiling) return false;
  if (!admitsPair(placement, item, b, pushed, to, -1)) return false;
  if (placement.move(item, b) + placement.move(pushed, to) <= threshold) return true;
  placement.move(pushed, b);
  placement.move(item, a);
  return false;
}
