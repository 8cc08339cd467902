import { setTimeout as pause } from 'node:timers/promises';
import { doublingPause } from '#libs/domain';

/** Pauses between tries. */
const pauses = { firstMs: 200, longestMs: 5000 };

/**
 * Does `work` again and again until it succeeds or `signal` fires. Never rejects. For a small record that must be
 * written as soon as an outage is over, such as its cause.
 * @param onFailure receives each failure, with the number of the try, from 0.
 */
export async function keepTrying(
  work: () => Promise<unknown>,
  { signal, onFailure }: { signal: AbortSignal; onFailure(error: unknown, tries: number): void },
): Promise<void> {
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      onFailure(error, tries);
    }
    await pause(doublingPause(tries, pauses), undefined, { signal }).catch(() => undefined);
  }
}
