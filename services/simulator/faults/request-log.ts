/** A received request that may change something, or any request while reads are logged. Tests use it for comparison. */
export interface LoggedRequest {
  /** Running number from 1. */
  number: number;
  /** Wall clock, milliseconds since 1970. */
  at: number;
  service: string;
  method: string;
  path: string;
  /** Null for logins, whose bodies contain secrets. */
  body: unknown;
  /** The simulator's own id. */
  requestId: string;
  /** `X-OpenStack-Request-ID` of the caller, or null. */
  globalRequestId: string | null;
  userName: string | null;
  /** Status of the response. Null before the response. */
  status: number | null;
  /** Whether the response was sent. False after a `drop`, `late`, `reset` or `hang` fault. */
  delivered: boolean;
  /** Whether it may still take effect: it is delayed by a fault, or in progress. */
  pending: boolean;
  /** When it took effect or was refused, milliseconds since 1970. Null while pending, and without an effect. */
  doneAt: number | null;
}

export interface RequestLog {
  add(entry: Omit<LoggedRequest, 'number' | 'status' | 'delivered' | 'pending' | 'doneAt'>): LoggedRequest;
  /** Entries after a number, oldest first. */
  since(number: number): LoggedRequest[];
  clear(): void;
  /** Whether read requests are logged too. Default false. */
  withReads: boolean;
}

/** Keeps the newest `capacity` requests. */
export function createRequestLog(capacity = 100_000): RequestLog {
  let entries: LoggedRequest[] = [];
  let lastNumber = 0;
  return {
    withReads: false,
    add(entry) {
      const open = { status: null, delivered: false, pending: true, doneAt: null };
      const logged: LoggedRequest = { number: ++lastNumber, ...entry, ...open };
      entries.push(logged);
      if (entries.length > 1.1 * capacity) entries = entries.slice(-capacity);
      return logged;
    },
    since: (number) => entries.filter((entry) => entry.number > number),
    clear() {
      entries = [];
    },
  };
}
