/** A reading of the server's clock from a response. */
interface Reading {
  /** Milliseconds since 1970 by the server, and by this page's monotonic clock at the response. */
  server: number;
  page: number;
  /** Duration of request and response in milliseconds: the upper bound of the reading's delay. */
  tookMs: number;
}

/** Any newer reading replaces one older than this: the clock stands still while a computer sleeps. */
const keptMs = 60_000;
/** Maximum drift of two good clocks within that time. */
const driftMs = 100;

/** The server's time on this page, independent of the computer's clock. */
export interface ServerClock {
  /** Milliseconds since 1970. The computer's clock until the first response. */
  now(): number;
  /**
   * Takes the reading of a response (`X-Vigil-Time`).
   * @param sentAt, receivedAt times of `performance.now()`
   */
  note(header: string | null, sentAt: number, receivedAt: number): void;
}

/** A clock that follows the fastest responses. */
export function createServerClock(own = { now: () => Date.now(), page: () => performance.now() }): ServerClock {
  let best: Reading | null = null;
  return {
    now: () => (best === null ? own.now() : best.server + own.page() - best.page),
    note(header, sentAt, receivedAt) {
      const server = header === null ? Number.NaN : Date.parse(header);
      if (Number.isNaN(server)) return;
      const reading = { server, page: receivedAt, tookMs: receivedAt - sentAt };
      if (best === null || isBetter(reading, best)) best = reading;
    },
  };
}

function isBetter(reading: Reading, known: Reading): boolean {
  const difference = Math.abs(reading.server - known.server - (reading.page - known.page));
  return (
    reading.tookMs <= known.tookMs ||
    reading.page - known.page > keptMs ||
    difference > reading.tookMs + known.tookMs + driftMs
  );
}

/** The server's clock of the page. */
export const serverClock: ServerClock = createServerClock();
