/** Counts the handlers that run, to keep them below a limit and to wait for the last one. */
export interface RunningHandlers {
  /** Runs `work` as soon as fewer than `limit` others run. Never rejects, errors go to `onError`. */
  run(work: () => Promise<void>): void;
  /** Resolves when none runs or waits. */
  idle(): Promise<void>;
}

/** No handler runs yet. `limit` of them may at once. */
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
