/** The period after which a load repeats: a day or a week. */
export const seasons = ['day', 'week'] as const;
/** One of `seasons`. */
export type Season = (typeof seasons)[number];

/** Length of each season in hours. */
const seasonHours: Readonly<Record<Season, number>> = { day: 24, week: 168 };

/** Minimum number of earlier values for a band. */
const fewestSamples = 3;
/** Maximum number of values of the same hour, the newest ones. */
const mostSamples = 28;
/** Shares of the values below the bounds of a band. */
const edges = { low: 0.1, middle: 0.5, high: 0.9 };

/** Expected range of a value, which contains four of five values. */
export interface Band {
  low: number;
  middle: number;
  high: number;
  /** Number of earlier values used. */
  samples: number;
}

/** Position of a forecast in a series. */
export interface Moment {
  /** Known hours, from the start of the series. */
  known: number;
  /** Forecast hour, counted from the start of the series. At least `known`. */
  target: number;
}

/**
 * Values of the same hour of earlier days or weeks, the newest first. @param perHour growth to add for the time since
 * each value, in units of the value an hour
 */
function earlierValues(values: Float64Array, season: Season, { known, target }: Moment, perHour: number): number[] {
  const period = seasonHours[season];
  const found: number[] = [];
  const newest = target - (Math.floor((target - known) / period) + 1) * period;
  for (let at = newest; at >= 0 && found.length < mostSamples; at -= period) {
    const value = values[at] as number;
    if (!Number.isNaN(value)) found.push(value + perHour * (target - at));
  }
  return found;
}

/**
 * The value below which a share of the values lies, with linear interpolation. NaN without values. @param share 0 to 1
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = share * (sorted.length - 1);
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  return below + (above - below) * (rank - Math.floor(rank));
}

/**
 * Quantiles of the values at the same hour of earlier days or weeks. Null where there are fewer than three.
 * @param perHour growth of the load in units of the value an hour, 0 without a trend
 */
export function seasonalBand(values: Float64Array, season: Season, moment: Moment, perHour: number): Band | null {
  const earlier = earlierValues(values, season, moment, perHour);
  if (earlier.length < fewestSamples) return null;
  return {
    low: quantile(earlier, edges.low),
    middle: quantile(earlier, edges.middle),
    high: quantile(earlier, edges.high),
    samples: earlier.length,
  };
}
