import { doublingPause, type Logger, messageOf, type RandomSource, VigilError } from '#libs/domain';
import { createLeaseKeeper, withGrace } from '#libs/service-kit';
import type { Store, TaskFault, TaskRow } from '#libs/store';
import { TaskTimeoutError } from '../errors.ts';
import type { TaskHandler } from './task-run.ts';

const baseMs = 5_000;
const capMs = 600_000;

/** How a run ended, for metrics. */
export type RunOutcome = 'succeeded' | 'failed' | 'retrying' | 'released' | 'lost';

export interface RunTaskDeps {
  store: Pick<Store, 'db'>;
  logger: Logger;
  random: RandomSource;
  /** Length of the lease in milliseconds. */
  leaseMs: number;
  /** How long a handler may take to end after its signal has fired, in milliseconds. */
  graceMs: number;
  /** Fires when the worker stops. */
  stopping: AbortSignal;
}

/** A task that was claimed. */
export type ClaimedTask = TaskRow & { fence: number };

const progressEveryMs = 1_000;
const maxMessageLength = 2_000;

/** Runs a claimed task to its end and stores its outcome, unless its lease has been lost. */
export async function runTask(deps: RunTaskDeps, task: ClaimedTask, handler: TaskHandler): Promise<RunOutcome> {
  const { uuid, fence } = task;
  const { tasks } = deps.store.db;
  const logger = deps.logger.child({ task: task.name, task_uuid: uuid, attempt: task.attempts });
  const keeper = createLeaseKeeper({
    resource: `task ${uuid}`,
    ttlMs: deps.leaseMs,
    renew: () => tasks.renewLease(uuid, fence, deps.leaseMs),
    logger,
  });
  const outOfTime = new AbortController();
  const timer = setTimeout(
    () => outOfTime.abort(new TaskTimeoutError(task.name, task.timeoutSeconds)),
    task.timeoutSeconds * 1000,
  );
  const signal = AbortSignal.any([keeper.lost, outOfTime.signal, deps.stopping]);
  const progress = createProgress(deps, task);
  try {
    const { name, args, createdBy, attempts: attempt } = task;
    const run = { uuid, name, args, createdBy, attempt, signal, logger, progress };
    const result = await withGrace(handler(run), { signal, graceMs: deps.graceMs });
    await keeper.ending(() => tasks.succeed(uuid, fence, result));
    logger.debug({}, 'task done');
    return 'succeeded';
  } catch (error) {
    if (keeper.lost.aborted) return 'lost';
    return await keeper.ending(() => settle(deps, task, { error, outOfTime: outOfTime.signal, logger }));
  } finally {
    clearTimeout(timer);
    await keeper.stop();
  }
}

async function settle(
  { store, random, stopping }: RunTaskDeps,
  { uuid, fence, attempts, maxAttempts }: ClaimedTask,
  end: { error: unknown; outOfTime: AbortSignal; logger: Logger },
): Promise<RunOutcome> {
  const { tasks } = store.db;
  const error = end.outOfTime.aborted ? end.outOfTime.reason : end.error;
  if (stopping.aborted && !end.outOfTime.aborted) {
    await tasks.release(uuid, fence);
    return 'released';
  }
  const fault = faultOf(error);
  if (isTransient(error) && attempts < maxAttempts) {
    const delayMs = retryDelayMs(attempts, random);
    await tasks.retryLater(uuid, fence, fault, delayMs);
    end.logger.info({ error, delay_ms: delayMs }, 'task failed, retrying later');
    return 'retrying';
  }
  await tasks.fail(uuid, fence, fault);
  end.logger.warn({ error }, 'task failed');
  return 'failed';
}

function isTransient(error: unknown): boolean {
  return error instanceof VigilError && error.category === 'retryable';
}

function faultOf(error: unknown): TaskFault {
  const message = messageOf(error).slice(0, maxMessageLength);
  return { code: error instanceof VigilError ? error.code : 'unexpected', message };
}

function createProgress({ store }: RunTaskDeps, { uuid, fence }: ClaimedTask) {
  let writtenAt = Number.NEGATIVE_INFINITY;
  return async (percent: number, message?: string): Promise<void> => {
    const now = performance.now();
    if (now - writtenAt < progressEveryMs) return;
    writtenAt = now;
    const bounded = Math.min(100, Math.max(0, Math.round(percent)));
    await store.db.tasks.setProgress(uuid, fence, { percent: bounded, message: message ?? null });
  };
}

/** Pause after failed attempt number `attempt` (from 1): 5 s doubling to 10 min, with 20 % of jitter either way. */
export function retryDelayMs(attempt: number, random: RandomSource): number {
  const doubled = doublingPause(attempt - 1, { firstMs: baseMs, longestMs: 2 * capMs });
  return Math.round(Math.min(doubled * (0.8 + 0.4 * random()), capMs));
}
