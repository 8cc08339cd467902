import type { Logger } from '#libs/domain';
import type { LoopStatus } from './loop-status.ts';
import type { Teardown } from './teardown.ts';

/** Recurring work. */
export interface PeriodicOptions {
  /** For logs, such as `heartbeat`. */
  name: string;
  /**
   * Pause between the end of a run and the start of the next, in milliseconds. A function is called before each pause.
   */
  everyMs: number | (() => number);
  /** Fraction of `everyMs` by which the pause varies, so that processes do not run in step. Default 0.1. */
  jitter?: number;
  /** Whether the first run starts immediately. Default true. */
  immediately?: boolean;
  run(signal: AbortSignal): Promise<void>;
  logger: Logger;
  /** Register of its runs for operators. Default: none. */
  loops?: Pick<LoopStatus, 'note'>;
}

/** Work that repeats until it is stopped. */
export interface Periodic {
  /** Ends the current pause, so that the next run starts immediately. */
  wake(): void;
  /** Starts no further run and aborts the signal of the current one. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Number of consecutive failures before a warning. */
const warnedFailures = 3;

/** Repeats work without overlap. A run that throws is logged, and the next one runs anyway. */
export function startPeriodic(options: PeriodicOptions): Periodic {
  const { name, jitter = 0.1, immediately = true, logger } = options;
  const everyMs = () => (typeof options.everyMs === 'function' ? options.everyMs() : options.everyMs);
  const ending = new AbortController();
  let endPause: () => void = () => undefined;
  let wakeRequested = false;
  let failures = 0;

  async function pause(): Promise<void> {
    if (wakeRequested || ending.signal.aborted) return;
    const ms = everyMs() * (1 + jitter * (Math.random() * 2 - 1));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function runOnce(): Promise<void> {
    const begin = performance.now();
    let failure: unknown = null;
    try {
      await options.run(ending.signal);
    } catch (error) {
      if (ending.signal.aborted) return;
      failure = error;
      failures += 1;
      // A lasting error causes one warning. A single failure ends with the next run.
      const level = failures === warnedFailures ? 'warn' : 'info';
      logger[level]({ task: name, failures, error }, 'periodic task failed, retrying later');
    }
    if (failure === null) failures = 0;
    options.loops?.note({ name, everyMs: everyMs(), tookMs: performance.now() - begin, error: failure });
  }

  async function loop(): Promise<void> {
    if (!immediately) await pause();
    while (!ending.signal.aborted) {
      wakeRequested = false;
      await runOnce();
      await pause();
    }
  }

  const running = loop();
  return {
    wake() {
      wakeRequested = true;
      endPause();
    },
    stop() {
      ending.abort();
      endPause();
      return running;
    },
  };
}

/** Recurring work as a part of a process. The process ends it under the same name. */
export function runPeriodically(
  { teardown, logger }: { teardown: Pick<Teardown, 'add'>; logger: Logger },
  options: Omit<PeriodicOptions, 'logger'>,
): Periodic {
  const periodic = startPeriodic({ ...options, logger });
  teardown.add(options.name, periodic.stop);
  return periodic;
}
