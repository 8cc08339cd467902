import { type ErrorCategory, VigilError } from '#libs/domain';

/** A strategy was still running when its time was over; its thread has been killed. */
export class StrategyTimeoutError extends VigilError {
  readonly code = 'strategy_timeout';
  readonly category = 'permanent';

  constructor(strategy: string, limitMs: number) {
    super(`strategy ${strategy} was stopped: it ran longer than its time limit of ${limitMs / 1000} s`);
  }
}

/** A strategy threw, could not be loaded, or took its thread down. Retryable when a metric store was the cause. */
export class StrategyFailedError extends VigilError {
  readonly code = 'strategy_failed';
  readonly category: ErrorCategory;

  constructor(strategy: string, reason: string, options?: ErrorOptions) {
    super(`strategy ${strategy} failed: ${reason}`, options);
    this.category = options?.cause instanceof VigilError ? options.cause.category : 'permanent';
  }
}

/** The audit was cancelled or the process stops; the strategy's thread has been killed. */
export class StrategyStoppedError extends VigilError {
  readonly code = 'strategy_stopped';
  readonly category = 'retryable';

  constructor(strategy: string, options?: ErrorOptions) {
    super(`strategy ${strategy} was stopped before it was done`, options);
  }
}
