import { admitsPair } from '../kernel/admits-pair.ts';
import type { Neighbourhood } from './neighbourhood.ts';

/** Exchanges the hosts of two items if the cost rises by at most `threshold`. */
export function trySwap(around: Neighbourhood, first: number, second: number, threshold: number): boolean {
  const { placement, exchange } = around;
  const b = placement.host[second]!;
  if (placement.host[first] === b) return false;
  around.evaluations += 1;
  if (!around.takesPart(second)) return false;
  exchange.begin(first, b, threshold);
  return exchange.allows(second) && swapIfAdmitted(around, first, second, threshold);
}

/**
 * Exchanges `item` with the first resident of `host` that `threshold` allows, among up to `tries` from a random start.
 */
export function trySwapWithHost(
  around: Neighbourhood,
  item: number,
  host: number,
  tries: number,
  threshold: number,
): boolean {
  const { placement, exchange } = around;
  const count = placement.residents.countOf(host);
  if (placement.host[item] === host || count === 0) return false;
  exchange.begin(item, host, threshold);
  let index = around.random.below(count);
  for (let left = Math.min(tries, count); left > 0; ) {
    const checked = exchange.check(index, left, around.places, around.lastPlace);
    around.evaluations += checked;
    if (exchange.found >= 0 && swapIfAdmitted(around, item, exchange.found, threshold)) return true;
    left -= checked;
    index += checked;
    if (index >= count) index -= count;
  }
  return false;
}

function swapIfAdmitted({ placement }: Neighbourhood, item: number, partner: number, threshold: number): boolean {
  const a = placement.host[item]!;
  const b = placement.host[partner]!;
  if (!admitsPair(placement, item, b, partner, a, item)) return false;
  if (placement.swap(item, partner) <= threshold) return true;
  placement.swap(item, partner);
  return false;
}
