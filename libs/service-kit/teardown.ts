import type { Logger } from '#libs/domain';
import { withTimeLimit } from './limits.ts';

/** The resources that a process releases at its end, in reverse order of acquisition. */
export interface Teardown {
  /**
   * Registers the counterpart of something that was just started. `timeLimitMs` (default 10000) is how long it may take.
   */
  add(name: string, stop: () => Promise<unknown> | unknown, timeLimitMs?: number): void;
  /** Stops everything, last started first; a failing or slow part does not keep the others from stopping. */
  run(): Promise<void>;
}

const defaultTimeLimitMs = 10_000;

interface Part {
  name: string;
  stop: () => Promise<unknown> | unknown;
  timeLimitMs: number;
}

/** Nothing to stop yet; what fails while it stops is logged. */
export function createTeardown(logger: Logger): Teardown {
  const parts: Part[] = [];
  return {
    add(name, stop, timeLimitMs = defaultTimeLimitMs) {
      parts.push({ name, stop, timeLimitMs });
    },
    async run() {
      for (let part = parts.pop(); part; part = parts.pop()) await stopPart(part, logger);
    },
  };
}

async function stopPart(part: Part, logger: Logger): Promise<void> {
  const late = () => {
    throw new Error(`did not stop within ${part.timeLimitMs / 1000} s`);
  };
  try {
    await withTimeLimit(Promise.resolve(part.stop()), part.timeLimitMs, late);
  } catch (error) {
    logger.warn({ part: part.name, error }, 'part did not stop cleanly');
  }
}
