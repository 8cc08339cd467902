/** Limits of the change stream; see the environment of the API for what they are for. */
export interface StreamLimits {
  /** Streams of one user in this process, and watchers of one user in the deployment. */
  perUser: number;
  /** Seconds after which a stream ends and its client comes back, with a token that is checked again. */
  maxStreamSeconds: number;
  /** Seconds between signs of life. */
  heartbeatSeconds: number;
  /** Bytes that may wait for a slow client before it is dropped. */
  maxWaitingBytes: number;
}
