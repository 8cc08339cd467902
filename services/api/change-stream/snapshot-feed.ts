import { createSemaphore } from '#libs/service-kit';
import type { LogPosition, Store } from '#libs/store';
import { deltaFrame } from './event-frames.ts';
import type { ProgressOf } from './load-entries.ts';
import { snapshotPages } from './snapshot-pages.ts';
import { type Reading, readingKey } from './stream-deltas.ts';
import { createDeltaTexts } from './stream-entry.ts';

/** A client that waits for the full state. */
export interface SnapshotReader {
  send(frame: Buffer): boolean;
  drained(): Promise<void>;
}

/** Reads the full state once for all clients that start with the same filter at the same time. */
export interface SnapshotFeed {
  /** Sends the full state and returns its log position. */
  join(reader: SnapshotReader, reading: Reading): Promise<LogPosition>;
}

/** Entities in one event. One page of each running snapshot is in memory. */
const pageSize = 500;
/** Maximum parallel snapshots. Each holds a connection until its slowest reader has finished. */
const maxAtOnce = 3;

interface Gathering {
  readers: SnapshotReader[];
  place: Promise<LogPosition>;
}

/** Makes the feed of full states. */
export function createSnapshotFeed(store: Store, progressOf: ProgressOf): SnapshotFeed {
  const places = createSemaphore(maxAtOnce);
  const gatherings = new Map<string, Gathering>();

  function run(key: string, readers: readonly SnapshotReader[], reading: Reading): Promise<LogPosition> {
    return places.run(() => {
      // A client that joins now would miss the first pages.
      gatherings.delete(key);
      return sendState(store, readers, reading, progressOf);
    });
  }

  return {
    join(reader, reading) {
      const key = readingKey(reading);
      const gathering = gatherings.get(key);
      if (gathering) {
        gathering.readers.push(reader);
        return gathering.place;
      }
      const readers = [reader];
      // Delayed, so that clients of the same moment join this snapshot.
      const place = Promise.resolve().then(() => run(key, readers, reading));
      gatherings.set(key, { readers, place });
      return place;
    },
  };
}

function sendState(
  store: Store,
  readers: readonly SnapshotReader[],
  { filter, context }: Reading,
  progressOf: ProgressOf,
): Promise<LogPosition> {
  const textOf = createDeltaTexts();
  return store.changeStream.snapshot(async (unit, at) => {
    const sendAll = async (deltas: readonly string[], more: boolean) => {
      const frame = deltaFrame('snapshot', { ...at, deltas, more });
      for (const reader of readers) reader.send(frame);
      await Promise.all(readers.map((reader) => reader.drained()));
    };
    let waiting: string[] | null = null;
    for await (const { entries } of snapshotPages(unit, filter, { size: pageSize, revno: at.revno, progressOf })) {
      if (waiting) await sendAll(waiting, true);
      waiting = entries.map((entry) => textOf(entry, 'change', context));
    }
    await sendAll(waiting ?? [], false);
    return at;
  });
}
