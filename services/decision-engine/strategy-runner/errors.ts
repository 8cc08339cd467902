import { type ErrorCategory, VigilError } from '#libs/domain';
import type { RunPart } from './worker-protocol.ts';

/** A strategy, planner or goal exceeded its time limit. Its thread has been killed. */
export class PluginTimeoutError extends VigilError {
  readonly code: `${RunPart}_timeout`;
  readonly category = 'permanent';

  constructor(part: RunPart, name: string, limitMs: number) {
    super(`${part} ${name} was stopped: it ran longer than its time limit of ${limitMs / 1000} s`);
    this.code = `${part}_timeout`;
  }
}

interface FailureOptions extends ErrorOptions {
  faultCode?: string | null;
  isOutOfMemory?: boolean;
}

/**
 * A strategy, planner or goal threw, could not be loaded, broke its contract, or ended its thread. Retryable when a
 * metric store was the cause. `message` is a whole sentence that names the plugin.
 */
export class PluginFailedError extends VigilError {
  readonly code: `${RunPart}_failed`;
  readonly category: ErrorCategory;
  /** Code of the error in the thread. Undefined without one. */
  readonly faultCode: string | null;
  /** Whether a memory limit ended the thread. */
  readonly isOutOfMemory: boolean;

  constructor(
    part: RunPart,
    message: string,
    { faultCode = null, isOutOfMemory = false, ...options }: FailureOptions = {},
  ) {
    super(message, options);
    this.code = `${part}_failed`;
    this.faultCode = faultCode;
    this.isOutOfMemory = isOutOfMemory;
    this.category = options?.cause instanceof VigilError ? options.cause.category : 'permanent';
  }
}

/** The audit was cancelled or the process stops. The strategy's thread has been killed. */
export class StrategyStoppedError extends VigilError {
  readonly code = 'strategy_stopped';
  readonly category = 'retryable';

  constructor(strategy: string, options?: ErrorOptions) {
    super(`strategy ${strategy} was stopped before it was done`, options);
  }
}
