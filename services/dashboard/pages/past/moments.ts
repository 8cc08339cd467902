/** Most days of the time line: the API refuses earlier moments. */
export const timeLineDays = 28;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Loads are means of as long a time. */
const shortStepMs = 300_000;

/** Whole steps of the last days, in milliseconds since 1970. */
export interface TimeLine {
  firstMs: number;
  lastMs: number;
  /** An hour, or 5 minutes on a time line shorter than a day. */
  stepMs: number;
  /** Steps from first to last, at least one. */
  steps: number;
}

/**
 * The time line up to the last full step (UTC) of the API.
 * @param sinceMs the first recorded moment. Null, or earlier than `timeLineDays` ago: all days of the API
 */
export function timeLineOf(nowMs: number, sinceMs: number | null = null): TimeLine {
  const stepMs = sinceMs !== null && nowMs - sinceMs < dayMs ? shortStepMs : hourMs;
  const lastMs = Math.floor(nowMs / stepMs) * stepMs;
  const earliestMs = Math.floor(nowMs / hourMs) * hourMs - timeLineDays * dayMs + hourMs;
  const firstMs = Math.min(Math.max(earliestMs, Math.ceil((sinceMs ?? 0) / stepMs) * stepMs), lastMs - stepMs);
  return { firstMs, lastMs, stepMs, steps: (lastMs - firstMs) / stepMs };
}

/**
 * The first measured load, or an hour before the start of the first plan, in milliseconds since 1970. Null: no load is
 * known.
 */
export function firstRecordOf(
  sampleMs: number | null,
  plans: readonly { started_at: string | null; ended_at: string }[],
): number | null {
  if (sampleMs === null) return null;
  const starts = plans.map((plan) => Date.parse(plan.started_at ?? plan.ended_at) - hourMs);
  return Math.min(sampleMs, ...starts);
}

/** The moment of a step, within the time line. */
export function momentAt({ firstMs, stepMs, steps }: TimeLine, step: number): number {
  return firstMs + Math.max(0, Math.min(steps, step)) * stepMs;
}

/** The nearest step of a moment, within the time line. */
export function stepOf({ firstMs, stepMs, steps }: TimeLine, atMs: number): number {
  return Math.max(0, Math.min(steps, Math.round((atMs - firstMs) / stepMs)));
}

/** Steps of a number of hours, at least one. */
export function stepsOf({ stepMs }: TimeLine, hours: number): number {
  return Math.max(1, Math.round((hours * hourMs) / stepMs));
}

/** The step a day later, or a day earlier at the end of the time line. The other end where it has no such day. */
export function otherStep(line: TimeLine, step: number): number {
  const day = stepsOf(line, 24);
  if (step + day <= line.steps) return step + day;
  if (step - day >= 0) return step - day;
  return step < line.steps ? line.steps : 0;
}

/** The moment in the URL of a page. Default, also for invalid times: a day before the end, or the start. */
export function momentOf(parameter: string, { firstMs, lastMs }: TimeLine): number {
  const given = Date.parse(parameter);
  return Number.isNaN(given) ? Math.max(firstMs, lastMs - dayMs) : given;
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
