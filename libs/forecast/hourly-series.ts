/** Milliseconds of an hour. */
export const hourMs = 3_600_000;

/** Measured values of one resource, a mean for each full hour. */
export interface HourlySeries {
  /** Start of the first hour, in milliseconds since 1970: a multiple of an hour. */
  startMs: number;
  /** Mean of each hour, the oldest first. NaN where nothing was measured. */
  values: Float64Array;
}

/**
 * The hours before the current one. Points of the same hour have equal weight. Points of other times and values that
 * are not finite are ignored. @param points measured values with their times in milliseconds since 1970, in any order
 * @param nowMs the series ends with the last full hour before it @param hours length of the series, a whole number
 */
export function hourlySeries(
  points: readonly { at: number; value: number }[],
  nowMs: number,
  hours: number,
): HourlySeries {
  const startMs = (Math.floor(nowMs / hourMs) - hours) * hourMs;
  const sums = new Float64Array(hours);
  const counts = new Uint32Array(hours);
  for (const { at, value } of points) {
    const hour = Math.floor((at - startMs) / hourMs);
    if (hour < 0 || hour >= hours || !Number.isFinite(value)) continue;
    sums[hour] = (sums[hour] as number) + value;
    counts[hour] = (counts[hour] as number) + 1;
  }
  return {
    startMs,
    values: sums.map((sum, hour) => (counts[hour] === 0 ? Number.NaN : sum / (counts[hour] as number))),
  };
}
