import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#libs/domain';
import { createSemaphore } from '#libs/service-kit';

/** How hard one process may press a backend. */
export interface BackendLimits {
  /** Concurrent loads, at least 1. */
  concurrency: number;
  /** Mean number of loads started per second. A burst may have as many (at least one). */
  ratePerSecond: number;
}

/** Waits for a place. The returned function frees it. Rejects when the signal fires first. */
export type BackendGate = (signal: AbortSignal) => Promise<() => void>;

/** Bounds concurrency and rate of the calls to one backend. */
export function createBackendGate({ concurrency, ratePerSecond }: BackendLimits, clock: Clock): BackendGate {
  const places = createSemaphore(concurrency);
  const intervalMs = 1000 / ratePerSecond;
  const burstMs = Math.max(0, Math.floor(ratePerSecond) - 1) * intervalMs;
  let nextAt = 0;
  return async (signal) => {
    const release = await places.acquire(signal);
    try {
      const now = clock.now();
      const at = Math.max(nextAt, now - burstMs);
      nextAt = at + intervalMs;
      if (at > now) await sleep(at - now, undefined, { signal });
      return release;
    } catch (error) {
      release();
      throw error;
    }
  };
}
