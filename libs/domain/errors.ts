/**
 * Remedy for the caller of a failed operation. `retryable`: the same call may succeed later. `permanent`: it never
 * will.
 * `conflict`: another writer was first, so read again and decide again. `invalid-input`: the caller must change its
 * input.
 */
export type ErrorCategory = 'retryable' | 'permanent' | 'conflict' | 'invalid-input';

/** Base of every error that Vigil throws on purpose. `code` is stable and documented. `message` is for operators. */
export abstract class VigilError extends Error {
  abstract readonly code: string;
  abstract readonly category: ErrorCategory;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A named entity does not exist (or is soft-deleted and deleted rows were not requested). */
export class NotFoundError extends VigilError {
  readonly code = 'not_found';
  readonly category = 'invalid-input';
  readonly entity: string;
  readonly ident: string;

  constructor(entity: string, ident: string) {
    super(`${entity} ${ident} could not be found`);
    this.entity = entity;
    this.ident = ident;
  }
}

/** A live entity with the same unique name or uuid exists. */
export class AlreadyExistsError extends VigilError {
  readonly code = 'already_exists';
  readonly category = 'conflict';
  readonly entity: string;
  readonly ident: string;

  constructor(entity: string, ident: string, options?: ErrorOptions) {
    super(`${entity} ${ident} already exists`, options);
    this.entity = entity;
    this.ident = ident;
  }
}

/** The state table has no such transition. */
export class InvalidTransitionError extends VigilError {
  readonly code = 'invalid_transition';
  readonly category = 'conflict';
  readonly entity: string;

  constructor(entity: string, state: string, event: string) {
    super(`${entity} in state ${state} does not allow ${event}`);
    this.entity = entity;
  }
}

/** A conditional update matched no row: the entity is now in another state, or its lease has another holder. */
export class StateConflictError extends VigilError {
  readonly code = 'state_conflict';
  readonly category = 'conflict';
  readonly entity: string;
  readonly uuid: string;
  readonly currentState: string | null;

  constructor(entity: string, uuid: string, currentState: string | null, wanted: string) {
    super(`${entity} ${uuid} is ${currentState ?? 'gone'}; ${wanted} was refused`);
    this.entity = entity;
    this.uuid = uuid;
    this.currentState = currentState;
  }
}

/** The lease under which a process worked has expired or has been taken over. It must stop writing and mutating. */
export class LeaseLostError extends VigilError {
  readonly code = 'lease_lost';
  readonly category = 'conflict';

  /** @param options its `cause` explains a lease that could not be renewed although its holder is unknown */
  constructor(resource: string, options?: ErrorOptions) {
    super(`the lease on ${resource} was lost`, options);
  }
}

/** A value given by a user is not acceptable. `field` names it the way the user wrote it. */
export class InvalidInputError extends VigilError {
  readonly code = 'invalid_input';
  readonly category = 'invalid-input';
  readonly field: string;

  constructor(field: string, reason: string, options?: ErrorOptions) {
    super(`${field}: ${reason}`, options);
    this.field = field;
  }
}

/**
 * A start-up problem that only an operator can solve (wrong URL, port in use, unwritable folder, bad plugin). Processes
 * print its message as one line, without a stack, and exit with `exitCode`.
 */
export class OperatorError extends VigilError {
  readonly code = 'operator';
  readonly category = 'permanent';
  readonly exitCode: number;

  constructor(message: string, options?: ErrorOptions & { exitCode?: number }) {
    super(message, options);
    this.exitCode = options?.exitCode ?? 1;
  }
}

/** The configuration is invalid, with a list of reasons. Processes end with exit code 78, tools with 2. */
export class ConfigurationError extends OperatorError {
  /** One reason for each value to correct. Starts with the key, if any. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[], options: ErrorOptions = {}) {
    super(`configuration: ${faults.join('; ')}`, { ...options, exitCode: 2 });
    this.faults = faults;
  }
}

/** The text of any thrown value. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
