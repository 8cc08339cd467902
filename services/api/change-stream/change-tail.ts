import { type Logger, messageOf } from '#libs/domain';
import { startPeriodic } from '#libs/service-kit';
import type { LogPosition, Store, UnitOfWork } from '#libs/store';
import { loadProgress } from './load-entries.ts';
import type { ProgressNotes } from './progress-notes.ts';
import { type ChangePart, readChanges } from './read-changes.ts';
import type { StreamEntry } from './stream-entry.ts';
import type { StreamMetrics } from './stream-metrics.ts';

/** Changes between two positions in the log, in the state of the second position. */
export interface Batch {
  /** Increases by one with each batch of this process. */
  sequence: number;
  epoch: number;
  from: number;
  to: number;
  entries: StreamEntry[];
  /** Whether the next batch belongs to the same snapshot. Only the last batch completes that position. */
  more: boolean;
}

/** Changes since a position that are still in memory, and the position after them. */
export interface RecentChanges {
  batches: Batch[];
  /** Pass this to the next call. */
  sequence: number;
  position: LogPosition;
}

/** The only reader of the change log in this process. It serves all clients. */
export interface ChangeTail {
  /**
   * Batches after a batch of this process (`sequence`), or after a position. Null when they are no longer in memory.
   */
  after(place: { sequence: number } | LogPosition): RecentChanges | null;
  /**
   * Called for every new batch, and with a reason when the stream was interrupted. Returns the function that ends it.
   */
  listen(listener: TailListener): () => void;
  /** The newest known position. Reads from now on include all changes up to it. Null after an interruption. */
  position(): LogPosition | null;
  stop(): Promise<void>;
}

/** Receivers of the tail's events. */
export interface TailListener {
  published(): void;
  failed(): void;
}

export interface TailDeps {
  store: Store;
  logger: Logger;
  progress: ProgressNotes;
  metrics: StreamMetrics;
}

/** Entities kept in memory for clients that reconnect or poll. */
const maxKept = 4000;
/** Poll interval of the log when no notification arrives. The correctness of the stream depends on it. */
const pollMs = 1800;
/** Changes within this time are read together. */
const gatherMs = 25;
const noteServicesMs = 5000;

/** Starts to follow the change log from its end. */
export async function startChangeTail(deps: TailDeps): Promise<ChangeTail> {
  const { store, logger, progress } = deps;
  const kept: Batch[] = [];
  const listeners = new Set<TailListener>();
  let sequence = 0;
  let position: LogPosition | null = null;

  function forget(): void {
    kept.length = 0;
    sequence += 1;
  }

  function publish(batch: Omit<Batch, 'sequence'>): void {
    sequence += 1;
    kept.push({ ...batch, sequence });
    for (let size = sizeOf(kept); size > maxKept && kept.length > 1; size = sizeOf(kept)) kept.shift();
    position = { epoch: batch.epoch, revno: batch.to };
    for (const listener of [...listeners]) listener.published();
  }

  /** Polls the log once. Without listeners only the position is kept. */
  async function check(): Promise<void> {
    const { epoch, newest } = await store.changes.bounds();
    const isSame = position?.epoch === epoch && position.revno === newest;
    if (isSame && !progress.isPending()) return;
    if (position === null || position.epoch !== epoch || listeners.size === 0) {
      const hasNewEpoch = position !== null && position.epoch !== epoch;
      position = { epoch, revno: newest };
      forget();
      // Followers find that their position belongs to another log.
      if (hasNewEpoch) for (const listener of [...listeners]) listener.published();
      return;
    }
    const from = position;
    await store.changeStream.snapshot(async (unit, at) => {
      if (at.epoch !== from.epoch) return;
      await publishChanges(unit, from, at);
      const moved = await loadProgress(unit, progress.take(), at.revno, progress.of);
      if (moved.length > 0) publish({ epoch: at.epoch, from: at.revno, to: at.revno, entries: moved, more: false });
    });
  }

  async function publishChanges(unit: UnitOfWork, from: LogPosition, at: LogPosition): Promise<void> {
    for await (const part of readChanges(store, unit, from, at, progress.of)) {
      publish({ epoch: at.epoch, from: part.from, to: part.to, entries: part.entries, more: part.more });
      measure(deps.metrics, part);
    }
  }

  async function guarded(): Promise<void> {
    try {
      await check();
    } catch (error) {
      // Writers are not affected. Followers restart from their last position.
      logger.info({ reason: messageOf(error) }, 'change stream interrupted');
      position = null;
      forget();
      for (const listener of [...listeners]) listener.failed();
      throw error;
    }
  }

  const polling = startPeriodic({ name: 'change stream', everyMs: pollMs, logger, run: guarded });
  const noting = startPeriodic({
    name: 'service statuses',
    everyMs: noteServicesMs,
    logger,
    run: async () => {
      await store.changeStream.noteServiceStatuses();
    },
  });
  let gathering: NodeJS.Timeout | null = null;
  const wake = () => {
    gathering ??= setTimeout(() => {
      gathering = null;
      polling.wake();
    }, gatherMs);
  };
  progress.onNews(wake);
  const stopListening = await store.changeStream.onChanges(wake);

  return {
    after: (place) => recentAfter(kept, sequence, position, place),
    position: () => position,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      if (gathering) clearTimeout(gathering);
      await stopListening();
      await Promise.all([polling.stop(), noting.stop()]);
    },
  };
}

function recentAfter(
  kept: readonly Batch[],
  sequence: number,
  position: LogPosition | null,
  place: { sequence: number } | LogPosition,
): RecentChanges | null {
  if (position === null) return null;
  const batches =
    'sequence' in place ? afterSequence(kept, sequence, place.sequence) : afterPlace(kept, position, place);
  return batches && { batches, sequence, position };
}

function afterSequence(kept: readonly Batch[], newest: number, seen: number): Batch[] | null {
  if (seen === newest) return [];
  const oldest = kept[0];
  return oldest && seen >= oldest.sequence - 1 ? kept.filter((batch) => batch.sequence > seen) : null;
}

function afterPlace(kept: readonly Batch[], position: LogPosition, place: LogPosition): Batch[] | null {
  if (place.epoch !== position.epoch) return null;
  if (place.revno >= position.revno) return [];
  const oldest = kept[0];
  return oldest && place.revno >= oldest.from ? kept.filter((batch) => batch.to > place.revno) : null;
}

function sizeOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { entries }) => sum + entries.length + 1, 0);
}

function measure(metrics: StreamMetrics, { changed, from, to }: ChangePart): void {
  metrics.coalesced(to - from - changed.length);
  const newest = changed.at(-1);
  if (newest) metrics.latency(newest.at);
}
