import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 250;

/**
 * Retries until the call succeeds, because the schedule may stop any server. Returns null when `isOver` holds first.
 */
export async function patiently<Result>(call: () => Promise<Result>, isOver: () => boolean): Promise<Result | null> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (isOver()) return null;
    }
    await sleep(pauseMs);
  }
}
