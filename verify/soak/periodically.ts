import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` immediately and then with pauses of `everyMs`. A failed round is skipped.
 * @returns a function that ends the loop and waits for the running round
 */
export function periodically(everyMs: number, work: () => Promise<unknown>): () => Promise<void> {
  const ending = new AbortController();
  async function loop(): Promise<void> {
    while (!ending.signal.aborted) {
      await work().catch(() => undefined);
      await sleep(everyMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }
  const looping = loop();
  return () => {
    ending.abort();
    return looping;
  };
}
