import type { Neighbourhood } from '../search/neighbourhood.ts';

/** Shifts `item` to `to` if the cost rises by at most `threshold`. */
export function tryShift(around: Neighbourhood, item: number, to: number, threshold: number): boolean {
  const { placement } = around;
  const from = placement.host[item]!;
  if (from === to) return false;
  around.evaluations += 1;
  const gain = placement.costOf(from) - placement.costWithout(from, item) + placement.priceAway(item, from);
  return shiftWithGain(around, item, to, threshold, gain);
}

/** Shifts `item` to the first of `tries` random hosts that `threshold` allows. */
export function tryShiftAnywhere(around: Neighbourhood, item: number, tries: number, threshold: number): boolean {
  const { placement } = around;
  const from = placement.host[item]!;
  const gain = placement.costOf(from) - placement.costWithout(from, item) + placement.priceAway(item, from);
  for (let left = tries; left > 0; left -= 1) {
    const to = around.anyHost();
    if (to === from) continue;
    around.evaluations += 1;
    if (shiftWithGain(around, item, to, threshold, gain)) return true;
  }
  return false;
}

/** `gain`: what the cost falls by when the item leaves its host. */
function shiftWithGain(around: Neighbourhood, item: number, to: number, threshold: number, gain: number): boolean {
  const { placement } = around;
  const ceiling = threshold + gain - placement.priceAway(item, to) + placement.costOf(to);
  if (placement.costWith(to, item, ceiling) > ceiling || !placement.admits(item, to, -1)) return false;
  const from = placement.host[item]!;
  if (placement.move(item, to) <= threshold) return true;
  // The cost of groups, which is known after the move only, was too much.
  placement.move(item, from);
  return false;
}
