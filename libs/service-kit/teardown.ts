import type { Logger } from '#libs/domain';

/** What a process has to give back at its end, in reverse order of taking it. */
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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not stop within ${part.timeLimitMs / 1000} s`)), part.timeLimitMs);
  });
  try {
    await Promise.race([part.stop(), late]);
  } catch (error) {
    logger.warn({ part: part.name, error }, 'part did not stop cleanly');
  } finally {
    clearTimeout(timer);
  }
}
