import { VigilError } from '#libs/domain';

/** How long outages of what an audit needs are waited for, in milliseconds, unless configured: 15 minutes. */
export const defaultOutageMs = 900_000;

const firstWaitMs = 5000;
const longestWaitMs = 60_000;

/**
 * How long to wait before an audit that met an outage is run again: 5 s, doubling to 60 s.
 * @param failedRuns runs that met the outage before this one.
 * @returns milliseconds; null when the error is none that passes by itself, or was waited for long enough.
 */
export function outageWait(error: unknown, failedRuns: number, outageMs: number): number | null {
  if (!(error instanceof VigilError) || error.category !== 'retryable') return null;
  let waited = 0;
  for (let run = 0; run < failedRuns; run += 1) waited += waitOf(run);
  return waited < outageMs ? waitOf(failedRuns) : null;
}

function waitOf(run: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(run, 10));
}
