import type { Neighbourhood } from '../search/neighbourhood.ts';

/** Exchanges the hosts of two items if the cost rises by at most `threshold`. */
export function trySwap(around: Neighbourhood, first: number, second: number, threshold: number): boolean {
  const { placement } = around;
  const a = placement.host[first]!;
  const b = placement.host[second]!;
  if (a === b) return false;
  around.evaluations += 1;
  const price =
    placement.priceAway(first, b) -
    placement.priceAway(first, a) +
    placement.priceAway(second, a) -
    placement.priceAway(second, b);
  const ceiling = threshold - price + placement.hostCost[a]! + placement.hostCost[b]!;
  const costOfA = placement.costExchanged(a, first, second, ceiling);
  if (costOfA > ceiling) return false;
  if (placement.costExchanged(b, second, first, ceiling - costOfA) > ceiling - costOfA) return false;
  if (!placement.admitsPair(first, b, second, a, first)) return false;
  if (placement.move(first, b) + placement.move(second, a) <= threshold) return true;
  placement.move(second, b);
  placement.move(first, a);
  return false;
}
