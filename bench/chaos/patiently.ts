import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 250;

/**
 * Asks again until there is a response, as whatever is asked may be away by the schedule. Null when `isOver` comes
 * first.
 */
export async function patiently<Answer>(ask: () => Promise<Answer>, isOver: () => boolean): Promise<Answer | null> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (isOver()) return null;
    }
    await sleep(pauseMs);
  }
}
