import type { Neighbourhood } from './neighbourhood.ts';

/** Shifts `item` to `to` if the cost rises by at most `threshold`. */
export function tryShift(around: Neighbourhood, item: number, to: number, threshold: number): boolean {
  if (around.placement.host[item] === to) return false;
  around.evaluations += 1;
  around.departure.begin(item, threshold);
  return shiftIfAllowed(around, item, to, threshold);
}

/** Shifts `item` to the first of `tries` random hosts that `threshold` allows. */
export function tryShiftAnywhere(around: Neighbourhood, item: number, tries: number, threshold: number): boolean {
  const from = around.placement.host[item]!;
  around.departure.begin(item, threshold);
  for (let left = tries; left > 0; left -= 1) {
    const to = around.anyHost();
    if (to === from) continue;
    around.evaluations += 1;
    if (shiftIfAllowed(around, item, to, threshold)) return true;
  }
  return false;
}

function shiftIfAllowed({ placement, departure }: Neighbourhood, item: number, to: number, threshold: number): boolean {
  if (!departure.allows(to) || !placement.admits(item, to, -1)) return false;
  const from = placement.host[item]!;
  if (placement.move(item, to) <= threshold) return true;
  // The cost of groups, which is known only after the move, was too high.
  placement.move(item, from);
  return false;
}
