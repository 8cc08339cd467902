import type { Neighbourhood } from './neighbourhood.ts';

/** Exchanges the hosts of two items if the cost rises by at most `threshold`. */
export function trySwap(around: Neighbourhood, first: number, second: number, threshold: number): boolean {
  const { placement, exchange } = around;
  const b = placement.host[second]!;
  if (placement.host[first] === b) return false;
  exchange.begin(first, b, threshold);
  return swapIfAllowed(around, first, second, threshold);
}

/** Exchanges `item` with the first of up to `tries` residents of `host`, from a random one on, that `threshold` allows. */
export function trySwapWithHost(
  around: Neighbourhood,
  item: number,
  host: number,
  tries: number,
  threshold: number,
): boolean {
  const { placement, exchange } = around;
  const { residents } = placement;
  const count = residents.countOf(host);
  if (placement.host[item] === host || count === 0) return false;
  exchange.begin(item, host, threshold);
  let index = around.random.below(count);
  for (let left = Math.min(tries, count); left > 0; left -= 1) {
    if (swapIfAllowed(around, item, residents.at(host, index), threshold)) return true;
    index = index + 1 === count ? 0 : index + 1;
  }
  return false;
}

function swapIfAllowed(around: Neighbourhood, item: number, partner: number, threshold: number): boolean {
  const { placement, exchange } = around;
  around.evaluations += 1;
  if (!around.takesPart(partner) || !exchange.allows(partner)) return false;
  const a = placement.host[item]!;
  const b = placement.host[partner]!;
  if (!placement.admitsPair(item, b, partner, a, item)) return false;
  if (placement.move(item, b) + placement.move(partner, a) <= threshold) return true;
  placement.move(partner, b);
  placement.move(item, a);
  return false;
}
