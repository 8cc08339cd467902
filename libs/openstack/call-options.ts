/** What goes with every call. */
export interface CloudCallOptions {
  signal?: AbortSignal;
  /** Sent as `X-OpenStack-Request-ID`, so that Nova's logs can be joined with ours; form `req-<uuid>`. */
  requestId?: string;
}

/** What a service says of a change that it took. */
export interface TakenRequest {
  /** The service's own id of the request; null when it tells none. */
  requestId: string | null;
}
