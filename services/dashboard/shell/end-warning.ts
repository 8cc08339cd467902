/** End of a session as far as it is known, and when that was read, by the page's monotonic clock. */
export interface KnownEnd {
  /** Seconds after which it ends when nobody uses it. Null: it does not. */
  left: number | null;
  /** Seconds after which it ends in any case. Null: never. */
  endsIn: number | null;
  /** Seconds without use after which it ends, as configured. Null: it does not. */
  idle: number | null;
  at: number;
}

/** That a session is about to end. */
export interface EndWarning {
  /** `idle`: unless somebody says that they are there. */
  kind: 'idle' | 'end';
  seconds: number;
}

/** So long before the end people are warned, at most. Half of a shorter idle time. */
const longestWarningSeconds = 120;
/** The server is asked so long after the end. */
const graceMs = 1500;
/** While a warning is shown somebody may say in another tab that they are there. */
const checkAgainMs = 10_000;

/** The warning that is due at a time of the page's clock. Null while there is none. */
export function warningOf(known: KnownEnd, now: number): EndWarning | null {
  const seconds = secondsTo(known, now);
  if (seconds > warningSeconds(known)) return null;
  const { left, endsIn } = known;
  return {
    kind: left !== null && left < (endsIn ?? Number.POSITIVE_INFINITY) ? 'idle' : 'end',
    seconds: Math.max(0, Math.round(seconds)),
  };
}

/** Milliseconds from a time of the page's clock until the server is to be asked again. Null: never. */
export function nextLookMs(known: KnownEnd, now: number): number | null {
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
