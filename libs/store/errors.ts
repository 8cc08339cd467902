import { VigilError } from '#libs/domain';

/** PostgreSQL cannot be reached or ended the connection. The same call may work later. */
export class StoreUnavailableError extends VigilError {
  readonly code = 'store_unavailable';
  readonly category = 'retryable';

  /** Whether it still answers what only reads. */
  readonly readable: boolean;

  constructor(reason: string, options?: ErrorOptions & { readable?: boolean }) {
    super(`the database is not available: ${reason}`, options);
    this.readable = options?.readable ?? false;
  }
}

/** A row of another system's database that cannot be taken over. */
export class ImportError extends VigilError {
  readonly code = 'import_failed';
  readonly category = 'invalid-input';

  /** `row` is its id or, where it has none, its place in the table from 1. */
  constructor(table: string, row: string | number, reason: string) {
    super(`table ${table}, row ${row}: ${reason}`);
  }
}
