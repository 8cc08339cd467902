/**
 * Options of every call. They are the last parameter, and no earlier parameter is optional, so a wrapper of a port can
 * append them.
 */
export interface CloudCallOptions {
  signal?: AbortSignal;
  /** Sent as `X-OpenStack-Request-ID` to correlate Nova's logs with Vigil's. Format `req-<uuid>`. */
  requestId?: string;
}

/** A service's response to an accepted change. */
export interface TakenRequest {
  /** The request id that the service assigned. Null when the response has none. */
  requestId: string | null;
}
