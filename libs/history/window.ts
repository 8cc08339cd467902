import type { Clock } from '#libs/domain';
import { InvalidInputError } from '#libs/domain';
import type { AggregateQuery } from './history-port.ts';

/** The last moment of the year 9999, where the calendars of some stores end. */
const lastMs = Date.UTC(10_000, 0) - 1;
/** A hundred years, longer than any store keeps samples. */
const longestPeriodSeconds = 100 * 366 * 86_400;
/** Maximum number of points of one series, which is held in memory. */
const pointsAtMost = 100_000;

/** Times in milliseconds. The window has samples with `startMs < at <= endMs`. */
export interface HistoryWindow {
  startMs: number;
  endMs: number;
}

/**
 * The window of a query, with an open start and a closed end in every adapter. So it includes a sample of this moment,
 * and adjacent windows share none. @throws InvalidInputError when the period is not above 0 or a store cannot represent
 * the time, because an invalid request must not count as an outage
 */
export function windowOf(query: Pick<AggregateQuery, 'periodSeconds' | 'endMs'>, clock: Clock): HistoryWindow {
  if (!(query.periodSeconds > 0 && query.periodSeconds <= longestPeriodSeconds)) {
    throw new InvalidInputError(
      'periodSeconds',
      `${query.periodSeconds} must be above 0, at most ${longestPeriodSeconds}`,
    );
  }
  const endMs = Math.floor(query.endMs ?? clock.now());
  requireMoment('endMs', endMs);
  return { startMs: endMs - Math.round(query.periodSeconds * 1000), endMs };
}

/**
 * The window of a series. It starts at a multiple of the step, so all stores have the same buckets, and has an open
 * end. @throws InvalidInputError for times that no store knows, and for more than 100,000 points
 */
export function seriesWindowOf(query: { startMs: number; endMs: number; stepSeconds: number }): HistoryWindow {
  const stepMs = query.stepSeconds * 1000;
  if (!(query.stepSeconds >= 1 && query.stepSeconds <= longestPeriodSeconds) || !Number.isInteger(query.stepSeconds)) {
    throw new InvalidInputError(
      'stepSeconds',
      `${query.stepSeconds} must be a whole number from 1 to ${longestPeriodSeconds}`,
    );
  }
  requireMoment('startMs', query.startMs);
  requireMoment('endMs', query.endMs);
  if (!(query.endMs > query.startMs)) throw new InvalidInputError('endMs', 'must be after startMs');
  if ((query.endMs - query.startMs) / stepMs > pointsAtMost) {
    throw new InvalidInputError('stepSeconds', `gives more than ${pointsAtMost} points`);
  }
  return { startMs: Math.floor(query.startMs / stepMs) * stepMs, endMs: Math.ceil(query.endMs) };
}

function requireMoment(name: string, ms: number): void {
  if (ms >= 0 && ms <= lastMs) return;
  throw new InvalidInputError(name, `${ms} is not a time between the years 1970 and 9999, in milliseconds`);
}
