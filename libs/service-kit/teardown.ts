import type { Logger } from '#libs/domain';

/** What a process has to give back at its end, in reverse order of taking it. */
export interface Teardown {
  /** Registers the counterpart of something that was just started. */
  add(name: string, stop: () => Promise<unknown> | unknown): void;
  /** Stops everything, last started first; a failing or slow part (10 s) does not keep the others from stopping. */
  run(): Promise<void>;
}

const partTimeoutMs = 10_000;

export function createTeardown(logger: Logger): Teardown {
  const parts: { name: string; stop: () => Promise<unknown> | unknown }[] = [];
  return {
    add(name, stop) {
      parts.push({ name, stop });
    },
    async run() {
      for (let part = parts.pop(); part; part = parts.pop()) await stopPart(part, logger);
    },
  };
}

async function stopPart(part: { name: string; stop: () => Promise<unknown> | unknown }, logger: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not stop within ${partTimeoutMs / 1000} s`)), partTimeoutMs);
  });
  try {
    await Promise.race([part.stop(), late]);
  } catch (error) {
    logger.warn({ part: part.name, error }, 'part did not stop cleanly');
  } finally {
    clearTimeout(timer);
  }
}
