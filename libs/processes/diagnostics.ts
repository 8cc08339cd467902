import type { JsonObject, Logger } from '#libs/domain';
import { messageOf } from '#libs/domain';
import { type Readiness, withTimeLimit } from '#libs/service-kit';

/** Response to Check. `warn`: the process works, but an optional dependency is missing. */
export interface CheckReport {
  status: 'pass' | 'warn' | 'fail';
  checks: { name: string; status: 'pass' | 'warn' | 'fail'; reason: string | null; durationMs: number }[];
  /** ISO 8601. */
  at: string;
}

/** The diagnostics of a process. */
export interface Diagnostics {
  /** Within 2 s, even when a part hangs. */
  check(): Promise<CheckReport>;
  /** Everything, without secrets. Also written to the log. */
  status(): Promise<JsonObject>;
  /** Adds a part to the status. */
  describe(name: string, part: () => Promise<unknown>): void;
}

/** Leaves time for the way back within the 2 s of a caller. */
const checkLimitMs = 1_500;
const partLimitMs = 1_500;
/** A turn of the event loop that takes longer is worth a warning, in milliseconds. */
const slowTurnMs = 500;

/** `identity` is first in every status. */
export function createDiagnostics(
  deps: { readiness: Readiness; logger: Logger; nowMs: () => number },
  identity: () => JsonObject,
): Diagnostics {
  const parts = new Map<string, () => Promise<unknown>>();

  async function check(): Promise<CheckReport> {
    const turnMs = await turnOfEventLoop();
    const { checks } = await deps.readiness.report(checkLimitMs);
    const shown = checks.map(({ name, ok, advisory, reason, durationMs }) => {
      const status = ok ? ('pass' as const) : advisory ? ('warn' as const) : ('fail' as const);
      return { name, status, reason, durationMs };
    });
    const isSlow = turnMs > slowTurnMs;
    shown.push({
      name: 'event loop',
      status: isSlow ? 'warn' : 'pass',
      reason: isSlow ? `a turn took ${Math.round(turnMs)} ms` : null,
      durationMs: Math.round(turnMs),
    });
    const worst = (['fail', 'warn'] as const).find((status) => shown.some((entry) => entry.status === status));
    return { status: worst ?? 'pass', checks: shown, at: new Date(deps.nowMs()).toISOString() };
  }

  return {
    check,
    async status() {
      const described = await Promise.all(
        [...parts].map(async ([name, part]) => [name, await within(part, partLimitMs)] as const),
      );
      const { rss, heapUsed } = process.memoryUsage();
      const status = {
        ...identity(),
        uptimeSeconds: Math.round(process.uptime()),
        memory: { rssBytes: rss, heapUsedBytes: heapUsed },
        check: await check(),
        ...Object.fromEntries(described),
      };
      deps.logger.info({ status }, 'status');
      // Converts dates and undefined to JSON values.
      return JSON.parse(JSON.stringify(status)) as JsonObject;
    },
    describe: (name, part) => parts.set(name, part),
  };
}

async function turnOfEventLoop(): Promise<number> {
  const begin = performance.now();
  await new Promise((resolve) => setImmediate(resolve));
  return performance.now() - begin;
}

async function within(part: () => Promise<unknown>, limitMs: number): Promise<unknown> {
  const late = () => {
    throw new Error(`no response within ${limitMs} ms`);
  };
  try {
    return await withTimeLimit(part(), limitMs, late);
  } catch (error) {
    return { error: messageOf(error) };
  }
}
