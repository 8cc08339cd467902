/** Counts the running handlers, to limit them and to wait for the last one. */
export interface RunningHandlers {
  /** Runs `work` when fewer than `limit` others run. Never rejects. `onError` receives errors. */
  run(work: () => Promise<void>): void;
  /** Resolves when none runs or waits. */
  idle(): Promise<void>;
}

/** Creates a counter without handlers. At most `limit` of them run concurrently. */
export function createRunningHandlers(limit: number, onError: (error: unknown) => void): RunningHandlers {
  const waiting: (() => Promise<void>)[] = [];
  const idleWaiters: (() => void)[] = [];
  let running = 0;

  function next(): void {
    while (running < limit && waiting.length > 0) start(waiting.shift()!);
    if (running === 0) for (const resolve of idleWaiters.splice(0)) resolve();
  }

  function start(work: () => Promise<void>): void {
    running += 1;
    work()
      .catch(onError)
      .finally(() => {
        running -= 1;
        next();
      });
  }

  return {
    run(work) {
      waiting.push(work);
      next();
    },
    idle: () => new Promise((resolve) => (running === 0 ? resolve() : idleWaiters.push(resolve))),
  };
}
