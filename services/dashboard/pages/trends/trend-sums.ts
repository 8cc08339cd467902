import type { HistorySpread } from '../../api/cluster-types.ts';
import type { TrendPlan } from '../../api/find-types.ts';

/** Number of plans with both values, and the median of the achieved share of the prediction. */
interface Kept {
  plans: number;
  /** From 0 to 1. Null: no such plan. */
  part: number | null;
}

/** Achieved share of the predicted reduction of the deviation, at the end of the plans. */
export function keptPart(plans: readonly Pick<TrendPlan, 'deviation'>[]): Kept {
  const parts = plans.flatMap(({ deviation: { planned, predicted, before, achieved } }) => {
    if (planned === null || predicted === null || before === null || achieved === null) return [];
    if (planned <= predicted) return [];
    return Math.min(1, Math.max(0, (before - achieved) / (planned - predicted)));
  });
  parts.sort((a, b) => b - a);
  return { plans: parts.length, part: parts[Math.ceil(parts.length / 2) - 1] ?? null };
}

/** Power of all measured hosts at each moment, in the unit of the metric. */
export function totalPower({ mean, count }: Pick<HistorySpread, 'mean' | 'count'>): number[] {
  return mean.map((value, at) => value * (count[at] ?? 0));
}
