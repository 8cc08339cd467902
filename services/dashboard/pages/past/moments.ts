/** Length of the time line: the API refuses earlier moments. */
export const timeLineDays = 28;
const hourMs = 3_600_000;

/** Whole hours of the last days, in milliseconds since 1970. */
export interface TimeLine {
  firstMs: number;
  lastMs: number;
  /** Steps from first to last, of one hour. */
  steps: number;
}

/** The time line from the first to the last full hour (UTC) of the API. */
export function timeLineOf(nowMs: number): TimeLine {
  const lastMs = Math.floor(nowMs / hourMs) * hourMs;
  const steps = timeLineDays * 24 - 1;
  return { firstMs: lastMs - steps * hourMs, lastMs, steps };
}

/** The moment of a step, within the time line. */
export function momentAt({ firstMs, steps }: TimeLine, step: number): number {
  return firstMs + Math.max(0, Math.min(steps, step)) * hourMs;
}

/** The nearest step of a moment, within the time line. */
export function stepOf({ firstMs, steps }: TimeLine, atMs: number): number {
  return Math.max(0, Math.min(steps, Math.round((atMs - firstMs) / hourMs)));
}

/** The moment in the URL of a page. Default, also for invalid times: a day before the end. */
export function momentOf(parameter: string, { lastMs }: TimeLine): number {
  const given = Date.parse(parameter);
  return Number.isNaN(given) ? lastMs - 24 * hourMs : given;
}

/** The second moment in the URL of a page. Null without a valid one: now is compared. */
export function laterMomentOf(parameter: string): number | null {
  const given = Date.parse(parameter);
  return Number.isNaN(given) ? null : given;
}

/** Both moments for a request, the earlier one first. */
export function inOrder(atMs: number, toMs: number | null): { at: string; to?: string } {
  if (toMs === null) return { at: new Date(atMs).toISOString() };
  const [at = '', to = ''] = [atMs, toMs].sort((a, b) => a - b).map((ms) => new Date(ms).toISOString());
  return { at, to };
}

/** Place of a moment on the time line in percent of its length. Later than its last hour: its end. Null: before it. */
export function placeOf({ firstMs, lastMs }: TimeLine, at: string): number | null {
  const moment = Date.parse(at);
  return moment >= firstMs ? (100 * (Math.min(moment, lastMs) - firstMs)) / (lastMs - firstMs) : null;
}
