import { messageOf } from '#libs/domain';

/** Why no usable response arrived. */
type FailureKind = 'timeout' | 'refused' | 'connection' | 'cancelled';

/** A failed exchange. `sent`: whether the service may have received the request. */
export interface CallFailure {
  kind: FailureKind;
  sent: boolean;
  detail: string;
}

/** Errors that occur before a single byte of the request is on its way. */
const beforeSending: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name cannot be resolved now',
  EHOSTUNREACH: 'host not reachable',
  ENETUNREACH: 'network not reachable',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time limit',
  UND_ERR_CLOSED: 'the client is closed',
  UND_ERR_DESTROYED: 'the client is closed',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; name its authority with OS_CACERT',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an unknown authority; name it with OS_CACERT',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an unknown authority; name it with OS_CACERT',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an unknown authority; name it with OS_CACERT',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/**
 * Classifies errors of undici. `limitMs` is for the error text. `isCallerAborted`: whether the caller's signal fired.
 */
export function callFailure(error: unknown, limitMs: number, isCallerAborted: boolean): CallFailure {
  if (isCallerAborted) return { kind: 'cancelled', sent: true, detail: 'cancelled by the caller' };
  const code = codeOf(error);
  const early = beforeSending[code];
  if (early !== undefined) return { kind: 'refused', sent: false, detail: early };
  if (timeoutCodes.has(code) || nameOf(error) === 'TimeoutError') {
    return { kind: 'timeout', sent: true, detail: `no response within ${limitMs / 1000} s` };
  }
  return { kind: 'connection', sent: true, detail: `connection broken (${messageOf(error)})` };
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? '' : codeOf(error.cause);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
