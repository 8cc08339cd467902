import type { JsonObject, JsonValue, Logger } from '#libs/domain';

/** The context of a task's code. */
export interface TaskRun {
  uuid: string;
  name: string;
  args: JsonObject;
  /** The requesting user. */
  createdBy: string;
  /** From 1. Above 1 an earlier attempt may have done part of the work. */
  attempt: number;
  /** Fires when the time is over, the lease is lost or the process stops. The code must end soon then. */
  signal: AbortSignal;
  logger: Logger;
  /** Shows how far it is. Written at most once a second. */
  progress(percent: number, message?: string): Promise<void>;
}

/**
 * The code of a task. It runs at least once, so it must be repeatable. Its return value is the task's result. An
 * error of category `retryable` is retried. Any other error fails the task.
 */
export type TaskHandler = (run: TaskRun) => Promise<JsonValue>;

/** Handlers by the name of the task. */
export type TaskHandlers = Readonly<Record<string, TaskHandler>>;
