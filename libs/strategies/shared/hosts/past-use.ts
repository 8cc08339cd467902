import type { MetricName } from '#libs/domain';
import type { MetricsReader, MetricsWindow } from '#libs/plugin-kit';

/** Number of tumbling windows that are compared: the newest one, and those before it. */
export const comparedWindows = 4;
/** Tolerance for sums in different orders. */
const rounding = 1e-9;
/** Minimum standard errors between the mean of the periods and the threshold, so that noise does not count as heat. */
const errorsAbove = 3;

/** Measurements of an instance metric in tumbling windows, the newest first. */
export type WindowColumns = readonly [Float64Array, ...Float64Array[]];

/**
 * Reads adjacent windows of equal length: the newest and those before it, `count` in total. Windows without a sample
 * are NaN.
 */
export async function readTumblingWindows(
  metrics: MetricsReader,
  metric: MetricName,
  window: MetricsWindow,
  count: number = comparedWindows,
): Promise<WindowColumns> {
  const newest = await metrics.instances(metric, window);
  const earlier = Array.from({ length: count - 1 }, (_, index) =>
    metrics.instances(metric, { ...window, endsSecondsAgo: (index + 1) * window.periodSeconds }),
  );
  return [newest, ...(await Promise.all(earlier))];
}

/** Use of each instance in each period. A period without a measurement has the newest use. */
export function usesOf(use: Float64Array, periods: WindowColumns, unitOf: (value: number, row: number) => number) {
  return periods.map((column) =>
    use.map((newest, row) => {
      const value = unitOf(column[row] ?? Number.NaN, row);
      return Number.isNaN(value) ? newest : value;
    }),
  );
}

/** Sample variance of the use of each instance over the periods. 0 for a constant load. */
export function varianceOf(uses: readonly Float64Array[]): Float64Array {
  const [newest = new Float64Array()] = uses;
  return newest.map((_, row) => {
    const mean = uses.reduce((sum, use) => sum + (use[row] as number), 0) / uses.length;
    return uses.reduce((sum, use) => sum + ((use[row] as number) - mean) ** 2, 0) / Math.max(1, uses.length - 1);
  });
}

/** Whether a load was at least at a limit in at least `least` of its periods. */
export function lastsAt(limit: number, loads: readonly number[], least: number): boolean {
  return loads.filter((load) => load >= limit - rounding).length >= least;
}

/**
 * Whether a load has stayed at a limit: in each period, and on average by three standard errors. For a constant load:
 * whether it is at the limit.
 * @param loads of the periods
 * @param variance of the load over time
 */
export function hasStayedAt(limit: number, loads: readonly number[], variance: number): boolean {
  const mean = loads.reduce((sum, load) => sum + load, 0) / loads.length;
  const error = Math.sqrt(variance / loads.length);
  return lastsAt(limit, loads, loads.length) && mean - errorsAbove * error >= limit - rounding;
}
