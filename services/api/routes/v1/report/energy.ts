import type { HistorySpreadResponse } from '#libs/messaging';

const hour = 3600;
/** Points of a request at most, below the limit of the data source. */
const mostPoints = 96;

/** Energy of the measured hosts over a period. Hours without samples are left out. */
export interface Energy {
  kwh: number | null;
  measured_hours: number;
  /** Most measured hosts at a time. */
  hosts: number;
}

/** Seconds of a step of a period: whole hours, so that months start and end with a step. */
export function energyStep(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / mostPoints / hour)) * hour;
}

/**
 * Energy from the spread of `host_power` (W) that starts at `start`, in seconds since 1970. A point is the mean since
 * the multiple of `step` before it, or since `start`.
 */
export function energyOf({ at, mean, count, step }: HistorySpreadResponse, start: number): Energy {
  let wattSeconds = 0;
  let seconds = 0;
  at.forEach((end, place) => {
    const length = end - Math.max(start, (Math.ceil(end / step) - 1) * step);
    wattSeconds += length * (mean[place] ?? 0) * (count[place] ?? 0);
    seconds += length;
  });
  return {
    kwh: at.length === 0 ? null : Math.round(wattSeconds / hour / 10) / 100,
    measured_hours: Math.round((seconds / hour) * 10) / 10,
    hosts: count.reduce((most, hosts) => Math.max(most, hosts), 0),
  };
}
