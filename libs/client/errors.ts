/** Kind of failure of a call: refused by the API, refused by Keystone, or without a response. */
export type ClientErrorKind = 'refused' | 'unauthorized' | 'unreachable' | 'timeout';

/** A failed call. `message` is the readable fault text of the service. */
export class VigilApiError extends Error {
  readonly kind: ClientErrorKind;
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  /** Watcher's `faultstring`, or the best text there is. */
  readonly faultstring: string;
  /** `X-OpenStack-Request-ID` of the response. */
  readonly requestId: string | null;
  /** Pause that `Retry-After` requests, in milliseconds. Null without it. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: ClientErrorKind,
    status: number,
    faultstring: string,
    options: ErrorOptions & { requestId?: string | null; retryAfterMs?: number | null } = {},
  ) {
    super(faultstring, options);
    this.name = 'VigilApiError';
    this.kind = kind;
    this.status = status;
    this.faultstring = faultstring;
    this.requestId = options.requestId ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/**
 * Pause that the `Retry-After` header of a response requests (seconds or an HTTP date), in milliseconds. Null without
 * it.
 */
export function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** Whether a body is a refusal as Watcher and Vigil make them. Those of other services have other forms. */
export function isFault(body: unknown): boolean {
  return property(body, 'error_message') !== undefined;
}

/** The fault text in the body of a refusal; Watcher puts JSON into a string inside JSON. */
export function faultTextOf(body: unknown, status: number): string {
  const message = property(body, 'error_message');
  const inner = typeof message === 'string' ? parse(message) : message;
  const text = property(inner, 'faultstring') ?? property(inner, 'description') ?? property(inner, 'title');
  if (typeof text === 'string' && text !== '') return text;
  const keystone = property(property(body, 'error'), 'message');
  if (typeof keystone === 'string') return keystone;
  return typeof message === 'string' && message !== '' ? message : `HTTP ${status}`;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
