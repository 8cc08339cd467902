/** Runs `read`, or returns the result of an equal read that starts after this call. */
export type SharedReads<Result> = (key: string, read: () => Promise<Result>) => Promise<Result>;

interface Lane<Result> {
  running: Promise<unknown>;
  next: Promise<Result> | null;
}

/**
 * Equal reads that arrive during a running one wait for its end and then share a single one. So any number of clients
 * that poll the same list cost one query at a time, and no response is older than its request.
 */
export function createSharedReads<Result>(): SharedReads<Result> {
  const lanes = new Map<string, Lane<Result>>();

  function start(key: string, lane: Lane<Result>, read: () => Promise<Result>): Promise<Result> {
    const result = read();
    lane.next = null;
    lane.running = result
      .catch(() => undefined)
      .then(() => {
        if (lane.next === null) lanes.delete(key);
      });
    return result;
  }

  return (key, read) => {
    const lane = lanes.get(key);
    if (!lane) {
      const opened: Lane<Result> = { running: Promise.resolve(), next: null };
      lanes.set(key, opened);
      return start(key, opened, read);
    }
    lane.next ??= lane.running.then(() => start(key, lane, read));
    return lane.next;
  };
}
