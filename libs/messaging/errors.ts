import { type ErrorCategory, VigilError } from '#libs/domain';

/** The broker (or the database of the bus) cannot be reached. */
export class BusUnavailableError extends VigilError {
  readonly code = 'bus_unavailable';
  readonly category = 'retryable';

  constructor(reason: string, options?: ErrorOptions) {
    super(`the message bus is not available: ${reason}`, options);
  }
}

/** No process serves requests on this topic. */
export class NoResponderError extends VigilError {
  readonly code = 'no_responder';
  readonly category = 'retryable';

  constructor(topic: string) {
    super(`no responder for requests on ${topic}`);
  }
}

/** A responder may have the request, but its response did not arrive in time. */
export class RequestTimeoutError extends VigilError {
  readonly code = 'request_timeout';
  readonly category = 'retryable';

  constructor(topic: string, timeoutMs: number) {
    super(`no response on ${topic} within ${timeoutMs} ms`);
  }
}

/**
 * The responder does not support the version of a request. A client with an older version repeats the request in that
 * version.
 */
export class UnknownVersionError extends VigilError {
  readonly code = 'version_unknown';
  readonly category = 'invalid-input';

  constructor(schema: string, newest: number) {
    super(`version ${schema} is not known here; the newest that is known is ${newest}`);
  }
}

/** The responder returned an error. `remoteCode` and `category` are those of its error if it was an error of Vigil. */
export class RemoteRequestError extends VigilError {
  readonly code = 'remote_request_failed';
  readonly category: ErrorCategory;
  readonly remoteCode: string | null;

  constructor(topic: string, message: string, remoteCode: string | null, category: ErrorCategory) {
    super(`${topic}: ${message}`);
    this.remoteCode = remoteCode;
    this.category = category;
  }
}
