import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Logger } from '#libs/domain';
import type { ActionPlugin } from '#libs/plugin-kit';
import { compiledUrl } from './compiled-url.ts';
import type { ThreadData } from './worker-protocol.ts';

/** The threads in which strategies run. */
export interface StrategyThreads {
  /** Throws when closed. */
  pool(): Piscina;
  /** Kills running strategies. */
  close(): Promise<void>;
}

export interface StrategyThreadsOptions {
  /** Maximum number of threads. */
  threads: number;
  logger: Logger;
  actions: readonly Pick<ActionPlugin, 'name' | 'schema'>[];
  clockAheadMs?: number;
}

/**
 * Pool of threads. One thread exists from the first run on. Further threads start when needed and end after an idle
 * minute. A thread is killed when its strategy exceeds a limit. Threads get no environment variables. This prevents
 * accidental leaks of secrets, but a plugin could still read them: it runs in this process, with access to its files
 * and `/proc/self/environ`.
 */
export function createStrategyThreads(options: StrategyThreadsOptions, memoryLimitMb: number): StrategyThreads {
  let pool: Piscina | undefined;
  let isClosed = false;

  /**
   * Created with the first run: a thread takes 50 ms of CPU time and the memory of a small process, and many engines
   * stay idle for long.
   */
  function threadPool(): Piscina {
    if (pool) return pool;
    if (isClosed) throw new Error('the strategy runner is closed');
    pool = new Piscina({
      filename: fileURLToPath(compiledUrl(new URL('./strategy-worker.ts', import.meta.url).href)),
      // Not 0: after the only thread was killed, piscina assigns waiting runs only to a thread that it must replace.
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
