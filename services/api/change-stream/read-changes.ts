import type { ChangedEntity, LogPosition, Store, UnitOfWork } from '#libs/store';
import { loadEntries, type ProgressOf } from './load-entries.ts';
import type { StreamEntry } from './stream-entry.ts';

/** A part of the changes of a window, with the entities in the snapshot at its end. */
export interface ChangePart {
  from: number;
  to: number;
  changed: ChangedEntity[];
  entries: StreamEntry[];
  /** Whether further parts of the same window follow. */
  more: boolean;
}

/** Entities in one part. */
export const partSize = 1000;

/** Changes from `from` to the snapshot `unit` at `at`, in parts of `partSize` entities. */
export async function* readChanges(
  store: Pick<Store, 'changeStream'>,
  unit: UnitOfWork,
  from: LogPosition,
  at: LogPosition,
  progressOf: ProgressOf,
): AsyncGenerator<ChangePart> {
  let start = from.revno;
  while (start < at.revno) {
    const window = { epoch: at.epoch, since: from.revno, after: start, upTo: at.revno };
    const changed = await store.changeStream.changed(window, partSize);
    const last = changed.length === partSize ? changed.at(-1)?.revno : undefined;
    const to = last ?? at.revno;
    const entries = await loadEntries(unit, changed, progressOf);
    yield { from: start, to, changed, entries, more: to < at.revno };
    start = to;
  }
}
