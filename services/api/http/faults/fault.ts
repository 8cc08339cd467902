import { type ErrorCategory, VigilError } from '#libs/domain';
import { pythonText, shortened } from './notation.ts';

/** Characters of a fault's text at most. Texts of Watcher may show the whole request. */
const maxText = 8000;
/** Characters of a value in it. */
const maxShownValue = 1000;

/** An error response of the API. `message` becomes Watcher's `faultstring`, cut at 8,000 characters. */
export class ApiFault extends VigilError {
  readonly code: string = 'api_fault';
  readonly category: ErrorCategory;
  readonly status: number;

  constructor(status: number, faultstring: string, options?: ErrorOptions) {
    super(shortened(faultstring, maxText), options);
    this.status = status;
    this.category = categoryOf(status);
  }
}

/**
 * Bad input with Watcher's status 500, which its clients expect. It is the client's mistake, so it is not logged as an
 * error.
 */
export class BadInputFault extends ApiFault {
  override readonly category = 'invalid-input';

  constructor(faultstring: string) {
    super(500, faultstring);
  }
}

/** No decision engine responds: 503, so that clients retry. */
export class EngineUnavailableError extends ApiFault {
  override readonly code = 'engine_away';

  constructor(faultstring: string) {
    super(503, faultstring);
  }
}

function categoryOf(status: number): ErrorCategory {
  if (status === 409) return 'conflict';
  return status >= 500 ? 'retryable' : 'invalid-input';
}

/** 400 with `faultstring`. */
export function badRequest(faultstring: string): ApiFault {
  return new ApiFault(400, faultstring);
}

/** 409 with `faultstring`. */
export function conflict(faultstring: string): ApiFault {
  return new ApiFault(409, faultstring);
}

/** The 406 of a request that uses a feature newer than its microversion. */
export function notAcceptable(): ApiFault {
  return new ApiFault(406, 'Request not acceptable.');
}

/** 400 for a value that cannot be converted. `detail` has the reason. */
export function invalidField(field: string, value: unknown, detail: string): ApiFault {
  const shown = shortened(pythonText(value), maxShownValue);
  return badRequest(
    `Invalid input for field/attribute ${field}. Value: '${shown}'. ${shortened(detail, maxShownValue)}`,
  );
}
