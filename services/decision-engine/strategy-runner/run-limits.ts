/** Interval of the memory check, in milliseconds. */
const checkMs = 100;

/** Limits of a run. */
export interface RunLimits {
  /** Aborted when a limit is exceeded. */
  signal: AbortSignal;
  exceeded(): 'time' | 'memory' | null;
  /** A part starts: its time limit starts now, and the memory limit with the first part. */
  restart(): void;
  stop(): void;
}

/**
 * Limits of a run: `timeLimitMs` for each part, and the MiB by which the process may grow (0: no limit). The heap of a
 * thread has a separate limit. Typed arrays and buffers are outside of the heap and only count in the size of the
 * process.
 */
export function watchLimits(timeLimitMs: number, growthMb: number): RunLimits {
  const ending = new AbortController();
  let exceeded: 'time' | 'memory' | null = null;
  let timer: NodeJS.Timeout | undefined;
  let reads: NodeJS.Timeout | undefined;

  function end(limit: 'time' | 'memory'): void {
    exceeded ??= limit;
    ending.abort();
  }

  function watchMemory(): NodeJS.Timeout {
    const most = process.memoryUsage.rss() + growthMb * 1024 * 1024;
    return setInterval(() => {
      if (process.memoryUsage.rss() > most) end('memory');
    }, checkMs);
  }

  return {
    signal: ending.signal,
    exceeded: () => exceeded,
    restart() {
      clearTimeout(timer);
      timer = setTimeout(() => end('time'), timeLimitMs);
      if (growthMb > 0) reads ??= watchMemory();
    },
    stop() {
      clearTimeout(timer);
      clearInterval(reads);
    },
  };
}
