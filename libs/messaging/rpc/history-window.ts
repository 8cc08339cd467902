/** A period in steps. All values in whole seconds, times since 1970. */
interface HistoryWindow {
  start: number;
  end: number;
  step: number;
}

/** Limits for the steps of a window. */
interface WindowLimits {
  /** Shortest step in seconds. */
  minStep: number;
  maxPoints: number;
}

/** Of `history.series`. */
export const historySeriesLimits: WindowLimits = { minStep: 10, maxPoints: 2000 };
/** Of `history.spread`, where a point is a request to the data source. */
export const historySpreadLimits: WindowLimits = { minStep: 60, maxPoints: 100 };
/** The last second of the year 9999: not all data sources support later times. */
export const lastHistorySecond = 253_402_300_799;
/** Longest step: a year, in seconds. */
export const maxHistoryStep = 366 * 86_400;

/** Error in a window of a history request, starting with the field. Null without one. */
export function historyWindowFault({ start, end, step }: HistoryWindow, limits: WindowLimits): string | null {
  for (const [name, moment] of Object.entries({ start, end })) {
    if (!isWholeBetween(moment, 0, lastHistorySecond)) return `${name}: whole seconds from 0 to ${lastHistorySecond}`;
  }
  if (!isWholeBetween(step, limits.minStep, maxHistoryStep)) {
    return `step: whole seconds from ${limits.minStep} to ${maxHistoryStep}`;
  }
  if (start >= end) return 'start: must be before end';
  if ((end - start) / step > limits.maxPoints) return `step: gives more than ${limits.maxPoints} points`;
  return null;
}

function isWholeBetween(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
