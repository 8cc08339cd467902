import type { LoadMetric, LoadTable } from './load-table.ts';

/** Spreads up to so many times their threshold are near it. */
const near = 2;
/** There a plan has to lower the spread by so much of a host's load at least, or by this share of a low threshold. */
const leastLoad = 0.005;
const leastShare = 0.25;

/** Spreads before a plan, to hold it against them afterwards. */
export interface Beginning {
  /**
   * Whether a plan that the search ended with is worth its migrations. Near its threshold a spread goes up and down
   * with the noise of the loads. Where large instances keep it from falling clearly, every audit would find another
   * little gain.
   */
  isWorthwhile(): boolean;
  /** Weighted deviation at the start. */
  readonly weighted: number;
}

/** Remembers the spreads that the table has now. @param trigger row of the metric that is above its threshold */
export function rememberSpread(
  table: LoadTable,
  metrics: readonly LoadMetric[],
  thresholds: readonly number[],
  trigger: number,
): Beginning {
  const weighted = table.weighted();
  const isFar = thresholds.some((threshold, row) => table.deviation(row) > threshold * near);
  const leastGain = (metrics[trigger]?.weight ?? 0) * Math.min(leastLoad, leastShare * (thresholds[trigger] ?? 0));
  return { weighted, isWorthwhile: () => isFar || weighted - table.weighted() >= leastGain };
}
