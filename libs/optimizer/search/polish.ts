import type { Neighbourhood } from '../moves/neighbourhood.ts';
import type { Progress } from './anneal.ts';

/** Makes the best shift of every item over all hosts until nothing improves or the budget is used. */
export function polish(around: Neighbourhood, progress: Progress): void {
  let improved = true;
  while (improved) {
    improved = false;
    for (const item of around.order) {
      if (progress(around.evaluations) >= 1) return;
      if (makeBestShift(around, item)) improved = true;
    }
  }
}

/** Shifts an item to where it costs least. Returns whether that improved anything. */
function makeBestShift(around: Neighbourhood, item: number): boolean {
  const { placement, problem } = around;
  const from = placement.host[item]!;
  const gain = placement.costOf(from) - placement.costWithout(from, item) + placement.priceAway(item, from);
  let least = 0;
  let target = -1;
  for (let to = 0; to < problem.hosts; to += 1) {
    if (to === from) continue;
    const price = placement.priceAway(item, to) - placement.costOf(to) - gain;
    const change = placement.costWith(to, item, least - price) + price;
    if (change >= least || !placement.admits(item, to, -1)) continue;
    least = change;
    target = to;
  }
  around.evaluations += problem.hosts;
  if (target < 0) return false;
  if (placement.move(item, target) < 0) return true;
  placement.move(item, from);
  return false;
}
