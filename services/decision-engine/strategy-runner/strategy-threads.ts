import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Logger } from '#libs/domain';
import type { ActionPlugin } from '#libs/plugin-kit';
import { compiledUrl } from './compiled-url.ts';
import type { ThreadData } from './worker-protocol.ts';

/** The threads in which strategies run. */
export interface StrategyThreads {
  /** Throws once they are closed. */
  pool(): Piscina;
  /** Kills running strategies. */
  close(): Promise<void>;
}

export interface StrategyThreadsOptions {
  /** At most so many at a time. */
  threads: number;
  logger: Logger;
  actions: readonly Pick<ActionPlugin, 'name' | 'schema'>[];
  clockAheadMs?: number;
}

/**
 * One thread is there from the first run on. More are started when needed and end after a minute without work. A
 * thread is killed when its strategy overruns. Threads get no environment variables. That keeps secrets from slips,
 * not from a plugin that wants them: it runs in this process, and reads its files and `/proc/self/environ`.
 */
export function createStrategyThreads(options: StrategyThreadsOptions, memoryLimitMb: number): StrategyThreads {
  let pool: Piscina | undefined;
  let isClosed = false;

  /**
   * Made with the first run: a thread takes 50 ms of processor time and the memory of a small process, and many engines
   * wait long for work.
   */
  function threadPool(): Piscina {
    if (pool) return pool;
    if (isClosed) throw new Error('the strategy runner is closed');
    pool = new Piscina({
      filename: fileURLToPath(compiledUrl(new URL('./strategy-worker.ts', import.meta.url).href)),
      // Not 0: when the only thread is killed, piscina takes up the waiting runs only in a thread that it must replace.
      minThreads: 1,
      maxThreads: options.threads,
      idleTimeout: 60_000,
      env: {},
      execArgv: [],
      workerData: {
        actionSchemas: options.actions.map(({ name, schema }) => [name, schema]),
        clockAheadMs: options.clockAheadMs,
      } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
    });
    pool.on('error', (error) => options.logger.warn({ err: error }, 'idle strategy thread failed'));
    return pool;
  }

  return {
    pool: threadPool,
    async close() {
      isClosed = true;
      await pool?.destroy();
    },
  };
}
