/** What goes with every call. */
export interface CloudCallOptions {
  signal?: AbortSignal;
  /** Sent as `X-OpenStack-Request-ID`, so that Nova's logs can be joined with ours; form `req-<uuid>`. */
  requestId?: string;
}
