import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import {
  historySeriesLimits,
  type historySpreadLimits,
  historyWindowFault,
  lastHistorySecond,
  maxHistoryStep,
} from '#libs/messaging';
import { intArgument, type QueryArguments } from '../../collections/query-arguments.ts';
import { badRequest } from '../../http/faults/fault.ts';

/** A time range in steps. All in seconds. */
export interface TimeWindow {
  start: number;
  end: number;
  step: number;
}

interface WindowDefaults {
  /** Points when no step is requested. */
  points: number;
  limits: typeof historySpreadLimits;
}

const hour = 3600;
/** Step lengths that are readable on an axis. */
const roundSteps = [10, 30, 60, 120, 300, 600, 900, 1800, hour, 2 * hour, 6 * hour, 24 * hour];

const moments = { minimum: 0, maximum: lastHistorySecond };

/** Query arguments of a window, for the document. */
export const windowArguments: Record<string, TSchema> = {
  start: Type.Optional(
    Type.Integer({ ...moments, description: 'Seconds since 1970; default: an hour before the end.' }),
  ),
  end: Type.Optional(Type.Integer({ ...moments, description: 'Seconds since 1970; default: now.' })),
  step: Type.Optional(
    Type.Integer({
      minimum: historySeriesLimits.minStep,
      maximum: maxHistoryStep,
      description: 'Seconds per point; default: chosen for the window. The number of points is limited.',
    }),
  ),
};

/**
 * Parses the window of a request.
 * @throws ApiFault 400 when it is invalid or has too many points.
 */
export function windowOf(query: QueryArguments, nowMs: number, { points, limits }: WindowDefaults): TimeWindow {
  const end = intArgument(query, 'end') ?? Math.floor(nowMs / 1000);
  const start = intArgument(query, 'start') ?? end - hour;
  const wanted = Math.max(limits.minStep, (end - start) / points);
  const step = intArgument(query, 'step') ?? roundSteps.find((round) => round >= wanted) ?? Math.ceil(wanted);
  const window = { start, end, step };
  const fault = historyWindowFault(window, limits);
  if (fault !== null) throw badRequest(fault);
  return window;
}
