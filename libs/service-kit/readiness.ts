import { messageOf } from '#libs/domain';
import { withTimeLimit } from './time-limit.ts';

/** Whether a process can do its work now, and what is missing. */
export interface ReadinessReport {
  ready: boolean;
  checks: { name: string; ok: boolean; reason: string | null; durationMs: number }[];
}

/** What decides whether a process says that it is ready. */
export interface Readiness {
  /**
   * Adds a check that throws, with the reason, while its part is unusable. An `advisory` one is only reported: the process
   * can work without that part. One with a name that is there already takes its place.
   */
  add(name: string, check: () => Promise<void>, options?: { advisory?: boolean }): void;
  /** Runs all checks at once, each bounded to `timeoutMs` (default 3000). */
  report(timeoutMs?: number): Promise<ReadinessReport>;
}

/** Ready as long as nothing is added. */
export function createReadiness(): Readiness {
  const checks: { name: string; check: () => Promise<void>; advisory: boolean }[] = [];
  return {
    add(name, check, { advisory = false } = {}) {
      const entry = { name, check, advisory };
      const index = checks.findIndex((present) => present.name === name);
      if (index === -1) checks.push(entry);
      else checks[index] = entry;
    },
    async report(timeoutMs = 3000) {
      const results = await Promise.all(checks.map((entry) => runCheck(entry.name, entry.check, timeoutMs)));
      return { ready: results.every((result, index) => result.ok || checks[index]?.advisory), checks: results };
    },
  };
}

async function runCheck(
  name: string,
  check: () => Promise<void>,
  timeoutMs: number,
): Promise<ReadinessReport['checks'][number]> {
  const begin = performance.now();
  const late = () => {
    throw new Error(`no answer within ${timeoutMs} ms`);
  };
  try {
    await withTimeLimit(check(), timeoutMs, late);
    return { name, ok: true, reason: null, durationMs: Math.round(performance.now() - begin) };
  } catch (error) {
    return { name, ok: false, reason: messageOf(error), durationMs: Math.round(performance.now() - begin) };
  }
}
