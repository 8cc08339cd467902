/**
 * Options of every call. They are the last parameter, and no parameter before them is optional, so that a wrapper of a
 * port
 * can append them.
 */
export interface CloudCallOptions {
  signal?: AbortSignal;
  /** Sent as `X-OpenStack-Request-ID`, so that Nova's logs can be joined with ours. Form `req-<uuid>`. */
  requestId?: string;
}

/** A service's response to an accepted change. */
export interface TakenRequest {
  /** The service's own id of the request. Null when it returns none. */
  requestId: string | null;
}
