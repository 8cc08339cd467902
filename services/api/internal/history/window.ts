import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { intArgument, type QueryArguments } from '../../collections/query-arguments.ts';

/** A stretch of time in steps; all in seconds. */
export interface TimeWindow {
  start: number;
  end: number;
  step: number;
}

interface WindowDefaults {
  /** Points when no step is asked for. */
  points: number;
  minStep: number;
}

const hour = 3600;
/** Lengths of a step that people can read off an axis. */
const roundSteps = [10, 30, 60, 120, 300, 600, 900, 1800, hour, 2 * hour, 6 * hour, 24 * hour];

/** Query arguments of a window, for the document. */
export const windowArguments: Record<string, TSchema> = {
  start: Type.Optional(Type.Integer({ description: 'Seconds since 1970; default: an hour before the end.' })),
  end: Type.Optional(Type.Integer({ description: 'Seconds since 1970; default: now.' })),
  step: Type.Optional(
    Type.Integer({ minimum: 10, description: 'Seconds of a point; default: what suits the window.' }),
  ),
};

/** The window that a request asks for. */
export function windowOf(query: QueryArguments, nowMs: number, { points, minStep }: WindowDefaults): TimeWindow {
  const end = intArgument(query, 'end') ?? Math.floor(nowMs / 1000);
  const start = intArgument(query, 'start') ?? end - hour;
  const wanted = Math.max(minStep, (end - start) / points);
  const step = intArgument(query, 'step') ?? roundSteps.find((round) => round >= wanted) ?? Math.ceil(wanted);
  return { start, end, step };
}
