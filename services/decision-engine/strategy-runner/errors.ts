import { type ErrorCategory, VigilError } from '#libs/domain';
import type { RunPart } from './worker-protocol.ts';

/** A strategy, planner or goal was still running when its time was over. Its thread has been killed. */
export class PluginTimeoutError extends VigilError {
  readonly code: `${RunPart}_timeout`;
  readonly category = 'permanent';

  constructor(part: RunPart, name: string, limitMs: number) {
    super(`${part} ${name} was stopped: it ran longer than its time limit of ${limitMs / 1000} s`);
    this.code = `${part}_timeout`;
  }
}

/**
 * A strategy, planner or goal threw, could not be loaded, broke its contract, or took its thread down. Retryable when a
 * metric store was the cause. `message` is a whole sentence that names the plugin.
 */
export class PluginFailedError extends VigilError {
  readonly code: `${RunPart}_failed`;
  readonly category: ErrorCategory;

  constructor(part: RunPart, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = `${part}_failed`;
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
