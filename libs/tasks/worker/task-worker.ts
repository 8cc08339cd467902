import type { Logger, RandomSource } from '#libs/domain';
import { startPeriodic } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { type ClaimedTask, type RunOutcome, runTask } from './run-task.ts';
import type { TaskHandlers } from './task-run.ts';

/** A queue that a worker serves. */
export interface ServedQueue {
  /** `generic`, `masters` or `host.<host>`. */
  name: string;
  /** Concurrent tasks of it in this worker. */
  concurrency: number;
  /** Whether tasks may be taken now. Default always. */
  isOpen?: () => boolean;
}

export interface TaskWorkerDeps {
  store: Pick<Store, 'db' | 'onTasksChanged'>;
  handlers: TaskHandlers;
  /** Registry id of the process. */
  instanceId: string;
  host: string;
  logger: Logger;
  random: RandomSource;
  /** Called when a run has ended. */
  onEnded?: (name: string, outcome: RunOutcome) => void;
}

export interface TaskWorkerOptions {
  queues: readonly ServedQueue[];
  /** After a crash a task waits this long at most, and `pollMs` more. Default 20 000. */
  leaseMs?: number;
  /** Poll interval without a notification. Default 2 000. */
  pollMs?: number;
  /** Time for a handler to end on request. Default 5 000. */
  graceMs?: number;
}

/** Works on the tasks of a queue. */
export interface TaskWorker {
  /** Takes no further task, signals the running ones to stop, and returns unfinished tasks to the queue. */
  stop(): Promise<void>;
}

/** Carries out tasks: never takes more than it has free places for, and only names that it has handlers for. */
export async function startTaskWorker(deps: TaskWorkerDeps, options: TaskWorkerOptions): Promise<TaskWorker> {
  const { store, handlers, logger } = deps;
  const { queues, leaseMs = 20_000, pollMs = 2_000, graceMs = 5_000 } = options;
  const names = Object.keys(handlers);
  const lease = { instance: deps.instanceId, host: deps.host, ttlMs: leaseMs };
  const stopping = new AbortController();
  const running = new Map<Promise<void>, string>();
  const busy = (queue: string) => [...running.values()].filter((name) => name === queue).length;

  function begin(queue: string, task: ClaimedTask): void {
    const run = carryOut(task).finally(() => {
      running.delete(run);
      periodic.wake();
    });
    running.set(run, queue);
  }

  async function carryOut(task: ClaimedTask): Promise<void> {
    const handler = handlers[task.name];
    if (!handler) throw new Error(`task ${task.name} was claimed without a handler`);
    try {
      const outcome = await runTask({ ...deps, leaseMs, graceMs, stopping: stopping.signal }, task, handler);
      deps.onEnded?.(task.name, outcome);
    } catch (error) {
      // Its lease expires, then another worker runs it again.
      logger.warn({ task: task.name, task_uuid: task.uuid, error }, 'cannot store end of task');
      deps.onEnded?.(task.name, 'lost');
    }
  }

  async function fill({ name, concurrency, isOpen = () => true }: ServedQueue): Promise<void> {
    while (!stopping.signal.aborted && isOpen() && busy(name) < concurrency) {
      const task = await store.db.tasks.claim(name, names, lease);
      if (!task) return;
      begin(name, task);
    }
  }

  const periodic = startPeriodic({
    name: 'task worker',
    everyMs: pollMs,
    run: async () => {
      for (const queue of queues) await fill(queue);
    },
    logger,
  });
  const sweeping = startPeriodic({
    name: 'task sweep',
    everyMs: Math.min(leaseMs / 4, 5_000),
    run: async () => {
      const { lost, timedOut } = await store.db.tasks.sweep();
      if (lost + timedOut > 0) logger.warn({ lost, timed_out: timedOut }, 'tasks have failed without a worker');
    },
    logger,
  });
  const stopListening = await store.onTasksChanged(() => periodic.wake());
  return {
    async stop() {
      stopping.abort(new Error('the worker stops'));
      await Promise.all([stopListening(), periodic.stop(), sweeping.stop()]);
      await Promise.all(running.keys());
    },
  };
}
