import type { HistorySpread } from '../../api/cluster-types.ts';

/** Power of all measured hosts at each moment, in the unit of the metric. */
export function totalPower({ mean, count }: Pick<HistorySpread, 'mean' | 'count'>): number[] {
  return mean.map((value, at) => value * (count[at] ?? 0));
}
