import type { Logger } from '#libs/domain';
import { withTimeLimit } from './limits.ts';

/** A part of a process, and the function that ends it. */
type Part = { stop(): unknown } | { close(): unknown };

/** The resources that a process releases at its end, in reverse order of acquisition. */
export interface Teardown {
  /** Registers the end of a started part. `timeLimitMs` (default 10000) is its maximum duration. */
  add(name: string, stop: () => Promise<unknown> | unknown, timeLimitMs?: number): void;
  /** Starts a part and registers its end. Logs a failed start with the name of the part, and rethrows it. */
  start<Started extends Part>(
    name: string,
    begin: () => Started | Promise<Started>,
    timeLimitMs?: number,
  ): Promise<Started>;
  /** Stops everything, last started first. The others also stop when a part fails or is slow. */
  run(): Promise<void>;
}

const defaultTimeLimitMs = 10_000;

interface Ending {
  name: string;
  stop: () => Promise<unknown> | unknown;
  timeLimitMs: number;
}

/** Creates an empty teardown. Failures of stops are logged. */
export function createTeardown(logger: Logger): Teardown {
  const endings: Ending[] = [];
  const add: Teardown['add'] = (name, stop, timeLimitMs = defaultTimeLimitMs) => {
    endings.push({ name, stop, timeLimitMs });
  };
  return {
    add,
    async start(name, begin, timeLimitMs) {
      try {
        const part = await begin();
        add(name, () => ('stop' in part ? part.stop() : part.close()), timeLimitMs);
        return part;
      } catch (error) {
        logger.warn({ part: name }, 'part failed to start');
        throw error;
      }
    },
    async run() {
      for (let ending = endings.pop(); ending; ending = endings.pop()) await stopPart(ending, logger);
    },
  };
}

async function stopPart({ name, stop, timeLimitMs }: Ending, logger: Logger): Promise<void> {
  const late = () => {
    throw new Error(`did not stop within ${timeLimitMs / 1000} s`);
  };
  try {
    await withTimeLimit(Promise.resolve(stop()), timeLimitMs, late);
  } catch (error) {
    logger.warn({ part: name, error }, 'part did not stop cleanly');
  }
}
