import { VigilError } from '#libs/domain';

/** PostgreSQL can not be reached or ended the connection; the same call may work later. */
export class StoreUnavailableError extends VigilError {
  readonly code = 'store_unavailable';
  readonly category = 'retryable';

  constructor(reason: string, options?: ErrorOptions) {
    super(`the database is not available: ${reason}`, options);
  }
}
