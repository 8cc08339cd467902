import type { Clock } from '#libs/domain';
import { InvalidInputError } from '#libs/domain';
import type { AggregateQuery } from './history-port.ts';

/** Times in milliseconds; samples with `startMs < at <= endMs` are in it. */
export interface HistoryWindow {
  startMs: number;
  endMs: number;
}

/**
 * The window of a query: open at its start and closed at its end in every adapter, so that a sample written at this very
 * moment counts and adjacent windows share none. Throws InvalidInputError when the period is not above 0.
 */
export function windowOf(query: Pick<AggregateQuery, 'periodSeconds' | 'endMs'>, clock: Clock): HistoryWindow {
  if (!(query.periodSeconds > 0)) {
    throw new InvalidInputError('periodSeconds', `${query.periodSeconds} must be above 0`);
  }
  const endMs = Math.floor(query.endMs ?? clock.now());
  return { startMs: endMs - Math.round(query.periodSeconds * 1000), endMs };
}

/** A series window begins at a multiple of its step, so that every store cuts the same buckets; half open at its end. */
export function seriesWindowOf(query: { startMs: number; endMs: number; stepSeconds: number }): HistoryWindow {
  const stepMs = query.stepSeconds * 1000;
  if (!(stepMs >= 1000) || !Number.isInteger(query.stepSeconds)) {
    throw new InvalidInputError('stepSeconds', `${query.stepSeconds} must be a whole number of at least 1`);
  }
  if (!(query.endMs > query.startMs)) throw new InvalidInputError('endMs', 'must be after startMs');
  return { startMs: Math.floor(query.startMs / stepMs) * stepMs, endMs: Math.ceil(query.endMs) };
}
