import { messageOf } from '#libs/domain';
import { withTimeLimit } from './limits.ts';

/** Whether a process can work, and its missing dependencies. */
export interface ReadinessReport {
  ready: boolean;
  /** `advisory`: the process can work without that part. */
  checks: { name: string; ok: boolean; advisory: boolean; reason: string | null; durationMs: number }[];
}

/** The checks that decide whether a process is ready. */
export interface Readiness {
  /**
   * Adds a check that throws the reason while its part is unusable. An `advisory` check is only reported: the process
   * can work without that part. A check replaces another one with the same name.
   */
  add(name: string, check: () => Promise<void>, options?: { advisory?: boolean }): void;
  /** Runs all checks concurrently, each with the limit `timeoutMs` (default 3000). */
  report(timeoutMs?: number): Promise<ReadinessReport>;
}

interface Check {
  name: string;
  check: () => Promise<void>;
  advisory: boolean;
}

/** Creates a readiness without checks. It is ready. */
export function createReadiness(): Readiness {
  const checks: Check[] = [];
  return {
    add(name, check, { advisory = false } = {}) {
      const entry = { name, check, advisory };
      const index = checks.findIndex((present) => present.name === name);
      if (index === -1) checks.push(entry);
      else checks[index] = entry;
    },
    async report(timeoutMs = 3000) {
      const results = await Promise.all(checks.map((entry) => runCheck(entry, timeoutMs)));
      return { ready: results.every(({ ok, advisory }) => ok || advisory), checks: results };
    },
  };
}

async function runCheck(
  { name, check, advisory }: Check,
  timeoutMs: number,
): Promise<ReadinessReport['checks'][number]> {
  const begin = performance.now();
  const durationMs = () => Math.round(performance.now() - begin);
  const late = () => {
    throw new Error(`no response within ${timeoutMs} ms`);
  };
  try {
    await withTimeLimit(check(), timeoutMs, late);
    return { name, ok: true, advisory, reason: null, durationMs: durationMs() };
  } catch (error) {
    return { name, ok: false, advisory, reason: messageOf(error), durationMs: durationMs() };
  }
}
