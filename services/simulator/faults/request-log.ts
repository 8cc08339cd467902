/**
 * One request that could change something (or any, when reads are logged), as the simulator received it. Tests compare
 * with it.
 */
export interface LoggedRequest {
  /** Running number from 1. */
  number: number;
  /** Wall clock, milliseconds since 1970. */
  at: number;
  service: string;
  method: string;
  path: string;
  /** Null for logins, whose bodies hold secrets. */
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
  /** Whether it may still take effect: held back by a fault, or being worked on. */
  pending: boolean;
  /**
   * When it took effect or was refused, milliseconds since 1970. Null while pending, and when nothing was
   * done.
   */
  doneAt: number | null;
}

export interface RequestLog {
  add(entry: Omit<LoggedRequest, 'number' | 'status' | 'delivered' | 'pending' | 'doneAt'>): LoggedRequest;
  /** Entries after a number, oldest first. */
  since(number: number): LoggedRequest[];
  clear(): void;
  /** Whether requests that only read are logged too. Default false. */
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
