import { VigilError } from '#libs/domain';

/** The history store did not answer in time or answered with an error; nothing was read or written. */
export class HistoryUnavailableError extends VigilError {
  readonly code = 'history_unavailable';
  readonly category = 'retryable';

  constructor(source: string, reason: string, options?: ErrorOptions) {
    super(`history store ${source}: ${reason}`, options);
  }
}

/** The history store is up and refused this one question, such as an unknown metric; others may still succeed. */
export class HistoryRefusedError extends VigilError {
  readonly code = 'history_refused';
  readonly category = 'permanent';

  constructor(source: string, reason: string, options?: ErrorOptions) {
    super(`history store ${source}: ${reason}`, options);
  }
}
