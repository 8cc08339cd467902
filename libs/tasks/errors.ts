import { VigilError } from '#libs/domain';

/** An error after which the same task may succeed later. Any other `retryable` VigilError is one as well. */
export class TransientTaskError extends VigilError {
  readonly code = 'task_transient';
  readonly category = 'retryable';
}

/** A task exceeded its time limit. It is not retried automatically. */
export class TaskTimeoutError extends VigilError {
  readonly code = 'task_timeout';
  readonly category = 'permanent';

  constructor(name: string, seconds: number) {
    super(`task ${name} ran longer than its ${seconds} s`);
  }
}

/** An awaited task has failed. `code` of the task's error is in `taskCode`. */
export class TaskFailedError extends VigilError {
  readonly code = 'task_failed';
  readonly category = 'permanent';
  readonly taskCode: string;

  constructor(uuid: string, fault: { code: string; message: string } | null) {
    super(`task ${uuid} failed: ${fault?.message ?? 'without a reason'}`);
    this.taskCode = fault?.code ?? 'unknown';
  }
}

/** A task did not end, or did not get its single-flight slot, in the time that its caller gave it. */
export class SingleFlightTimeoutError extends VigilError {
  readonly code = 'single_flight_timeout';
  readonly category = 'retryable';

  constructor(name: string, uuid: string, seconds: number) {
    super(`task ${name} (${uuid}) had not ended after ${seconds} s`);
  }
}
