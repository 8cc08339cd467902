/** Server's clock, as a response told it. */
interface Reading {
  /** Milliseconds since 1970 by the server, and by this page's monotonic clock when the response came. */
  server: number;
  page: number;
  /** How long request and answer took in milliseconds: the reading is at most so much behind. */
  tookMs: number;
}

/** A reading that is older than this gives way to any newer one: a computer that slept has a clock that stood still. */
const keptMs = 60_000;
/** Two good clocks do not part by more than this within that time. */
const driftMs = 100;

/** The server's time on this page, whatever the computer's own clock says. */
export interface ServerClock {
  /** Milliseconds since 1970. By the computer's clock until the first response has come. */
  now(): number;
  /**
   * Takes in what a response says (`X-Vigil-Time`).
   * @param sentAt, receivedAt times of `performance.now()`
   */
  note(header: string | null, sentAt: number, receivedAt: number): void;
}

/** A clock that goes by the quickest answers. */
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

/** The server's clock for all of the page. */
export const serverClock: ServerClock = createServerClock();
