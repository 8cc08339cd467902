import type { LogPosition, Store, Watcher } from '#libs/store';
import type { ChangeTail } from './change-tail.ts';
import type { DeltaReply } from './event-frames.ts';
import type { ProgressOf } from './load-entries.ts';
import { partSize, readChanges } from './read-changes.ts';
import { snapshotPages } from './snapshot-pages.ts';
import type { Reading } from './stream-deltas.ts';
import { createDeltaTexts, judge, mergeEntries, type StreamEntry } from './stream-entry.ts';
import { requireKept, streamFault } from './stream-faults.ts';

export interface WatcherReaderDeps {
  store: Store;
  tail: ChangeTail;
  progressOf: ProgressOf;
}

/** A response for a watcher, and the watcher's position afterwards. */
export interface WatcherResult {
  reply: DeltaReply;
  to: { position: LogPosition; pageAfter: string | null; pagedUntil: number };
}

/** Changes of a window, and its end. */
export interface WindowChanges {
  entries: StreamEntry[];
  /** Position in the memory of this process. Null when they are from the log. */
  sequence: number | null;
  at: LogPosition;
  more: boolean;
}

/** Reads the next response of a watcher. Each read is of one snapshot of the database, or of memory. */
export interface WatcherReader {
  /**
   * The full state, or the rest of it. Pages are read on request. Changes during that time come after them.
   * @throws ApiFault when the log was restored since the first page
   */
  page(watcher: Watcher, reading: Reading): Promise<WatcherResult>;
  /**
   * Changes since `position`, from memory when available.
   * @param place position in memory, or else in the log
   * @param pagedUntil last change that the watcher's pages may show
   * @throws ApiFault when the log no longer has them
   */
  changesSince(
    place: { sequence: number } | LogPosition,
    position: LogPosition,
    pagedUntil: number,
  ): Promise<WindowChanges>;
  /** The response with those `changes` after `from` that the watcher's filter admits. */
  responseOf(changes: WindowChanges, watcher: Watcher, reading: Reading, from: LogPosition): WatcherResult;
}

/** Makes the reader. Texts of equal deltas are made once. */
export function createWatcherReader({ store, tail, progressOf }: WatcherReaderDeps): WatcherReader {
  const textOf = createDeltaTexts();

  function page(watcher: Watcher, reading: Reading): Promise<WatcherResult> {
    return store.changeStream.snapshot(async (unit, at) => {
      const position = watcher.position ?? at;
      if (position.epoch !== at.epoch) throw streamFault('resync_required');
      const options = { size: partSize, revno: at.revno, progressOf };
      const pages = snapshotPages(unit, reading.filter, { ...options, after: watcher.pageAfter ?? undefined });
      const { value: found } = await pages.next();
      const entries: StreamEntry[] = found?.entries ?? [];
      const pageAfter: string | null = entries.length === partSize ? found.last : null;
      const more = pageAfter !== null || at.revno > position.revno;
      const deltas = entries.map((entry) => textOf(entry, 'change', reading.context));
      return { reply: { ...position, deltas, more }, to: { position, pageAfter, pagedUntil: at.revno } };
    });
  }

  async function changesSince(
    place: { sequence: number } | LogPosition,
    position: LogPosition,
    pagedUntil: number,
  ): Promise<WindowChanges> {
    const recent = tail.after(place);
    // Pages may have shown changes that this process has not read yet.
    if (recent && recent.position.revno >= pagedUntil) {
      const entries = mergeEntries(recent.batches.map((batch) => newTo(batch, position.revno)));
      const { epoch, revno } = recent.position;
      const at = { epoch, revno: Math.max(revno, position.revno) };
      return { entries, sequence: recent.sequence, at, more: recent.batches.at(-1)?.more ?? false };
    }
    requireKept(position, await store.changes.bounds());
    return store.changeStream.snapshot(async (unit, at) => {
      // One part fills a response.
      const { value: part } = await readChanges(store, unit, position, at, progressOf).next();
      const to = { epoch: at.epoch, revno: part?.to ?? at.revno };
      return { entries: part?.entries ?? [], sequence: null, at: to, more: part?.more ?? false };
    });
  }

  function responseOf(changes: WindowChanges, watcher: Watcher, reading: Reading, from: LogPosition): WatcherResult {
    const { at } = changes;
    const found = changes.entries.flatMap((entry) => {
      const verdict = judge(entry, reading.filter, from.revno, watcher.pagedUntil);
      return verdict ? [{ revno: entry.revno, text: textOf(entry, verdict, reading.context) }] : [];
    });
    const sent = found.slice(0, partSize);
    const isCut = found.length > sent.length;
    const position = { epoch: at.epoch, revno: isCut ? (sent.at(-1)?.revno ?? at.revno) : at.revno };
    return {
      reply: { ...position, deltas: sent.map(({ text }) => text), more: isCut || changes.more },
      to: { position, pageAfter: null, pagedUntil: watcher.pagedUntil },
    };
  }

  return { page, changesSince, responseOf };
}

/** The entries of a batch after the change `seen`. Entries of progress have no change in the log. */
function newTo({ from, to, entries }: { from: number; to: number; entries: StreamEntry[] }, seen: number) {
  const isProgress = from === to;
  return entries.filter((entry) => (isProgress ? seen <= to : entry.revno > seen));
}
