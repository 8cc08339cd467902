/** Known end of a session, and the time of that reading by the page's monotonic clock. */
export interface KnownEnd {
  /** Seconds until the session ends without use. Null: it has no idle timeout. */
  left: number | null;
  /** Seconds until the session ends in any case. Null: never. */
  endsIn: number | null;
  /** Configured idle timeout in seconds. Null: none. */
  idle: number | null;
  at: number;
}

/** Warning of the end of a session. */
export interface EndWarning {
  /** `idle`: unless the user confirms their presence. */
  kind: 'idle' | 'end';
  seconds: number;
}

/** Longest time between warning and end. Half of a shorter idle timeout. */
const longestWarningSeconds = 120;
/** Delay of the server query after the end. */
const graceMs = 1500;
/** During a warning the user may confirm their presence in another tab. */
const checkAgainMs = 10_000;

/** The warning due at a time of the page's clock. Null: none. */
export function warningOf(known: KnownEnd, now: number): EndWarning | null {
  const seconds = secondsTo(known, now);
  if (seconds > warningSeconds(known)) return null;
  const { left, endsIn } = known;
  return {
    kind: left !== null && left < (endsIn ?? Number.POSITIVE_INFINITY) ? 'idle' : 'end',
    seconds: Math.max(0, Math.round(seconds)),
  };
}

/** Milliseconds from a time of the page's clock until the next server query. Null: never. */
export function nextCheckMs(known: KnownEnd, now: number): number | null {
  const seconds = secondsTo(known, now);
  if (seconds === Number.POSITIVE_INFINITY) return null;
  const untilWarning = seconds - warningSeconds(known);
  if (untilWarning > 0) return untilWarning * 1000;
  return Math.min(checkAgainMs, Math.max(0, seconds * 1000) + graceMs);
}

function secondsTo({ left, endsIn, at }: KnownEnd, now: number): number {
  return Math.min(left ?? Number.POSITIVE_INFINITY, endsIn ?? Number.POSITIVE_INFINITY) - (now - at) / 1000;
}

function warningSeconds({ idle }: KnownEnd): number {
  return Math.min(longestWarningSeconds, (idle ?? Number.POSITIVE_INFINITY) / 2);
}
