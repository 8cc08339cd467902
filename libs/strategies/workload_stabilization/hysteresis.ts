import type { LoadMetric, LoadTable } from './load-table.ts';

/** Spreads up to this multiple of their threshold are near it. */
const near = 2;
/**
 * Near the threshold a plan must lower the spread by at least this fraction of a host's load, or of a low threshold.
 */
const leastLoad = 0.005;
const leastShare = 0.25;

/** Spreads before a plan, for comparison with those after it. */
export interface Beginning {
  /**
   * Whether a plan is worth its migrations. Near its threshold a spread varies with the noise of the loads. When large
   * instances prevent a clear reduction, every audit would find another small gain.
   */
  isWorthwhile(): boolean;
  /** Weighted deviation at the start. */
  readonly weighted: number;
}

/** Stores the current spreads of the table. @param trigger row of the metric that is above its threshold */
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
