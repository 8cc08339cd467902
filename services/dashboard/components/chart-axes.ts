/** Times around a single point, in seconds: an axis needs a length. */
const aroundPoint = 1800;
/** Steps of an axis in tenths of a power of ten. */
const steps = [1, 2, 2.5, 5, 10];
/** Labels of an axis of values beside its zero. */
const wantedTicks = 4;

/** Ends of a time axis in seconds. */
export type TimeWindow = [from: number, to: number];

/**
 * Ends of the time axis. uPlot would show a single point in a thousand days without a label. It gets the requested
 * window, or half an hour on either side.
 * @param at times of the points, in seconds
 */
export function timeRange(at: readonly number[], wanted: TimeWindow, requested?: TimeWindow): TimeWindow {
  const [point = 0] = at;
  return at.length === 1 ? (requested ?? [point - aroundPoint, point + aroundPoint]) : wanted;
}

/** The top of an axis of values from 0, a whole number of steps that holds the highest value. At least 1. */
export function topOf(highest: number): number {
  const step = stepOf(highest);
  return step * Math.ceil(Math.max(1, highest) / step);
}

/** The labels of an axis of values from 0 to its top, three to six, evenly apart. */
export function ticksTo(top: number): number[] {
  const step = stepOf(top);
  return Array.from({ length: Math.round(top / step) + 1 }, (_, place) => place * step);
}

/** The labels of an axis of counts: whole numbers from 0 to one that holds the highest count. */
export function wholeTicks(highest: number): number[] {
  const step = Math.max(1, stepOf(highest));
  // Of the steps only 2.5 is no whole number.
  const whole = Number.isInteger(step) ? step : 2 * step;
  return Array.from({ length: Math.ceil(Math.max(1, highest) / whole) + 1 }, (_, place) => place * whole);
}

function stepOf(highest: number): number {
  const least = Math.max(1, highest) / wantedTicks;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * (steps.find((step) => step * power >= least * (1 - 1e-9)) ?? 10);
}
