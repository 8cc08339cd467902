import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeRow, Store } from '#libs/store';

const pauseMs = 200;
const readAtOnce = 1000;

/** Events that a follower of the change stream received. */
export interface CollectedEvents {
  /** States of each action in the order of their events. */
  statesOf(action: string): readonly string[];
  /** Missing event numbers. */
  gaps(): number;
  /** Reads the remaining events, then stops. */
  stop(): Promise<void>;
}

/**
 * Follows the change stream from its start, as the API does for its clients.
 * @param aborted ends the reads without the remaining events
 */
export async function collectEvents(store: Store, aborted: AbortSignal): Promise<CollectedEvents> {
  const states = new Map<string, string[]>();
  const { epoch, oldest } = await store.changes.bounds();
  let position = { epoch, revno: oldest - 1 };
  let gaps = 0;
  let isEnding = false;

  function take(row: ChangeRow): void {
    const expected = row.epoch === position.epoch ? position.revno + 1 : 1;
    gaps += Math.abs(row.revno - expected);
    position = { epoch: row.epoch, revno: row.revno };
    const state = row.doc?.state;
    if (row.kind !== 'action' || typeof state !== 'string') return;
    const known = states.get(row.entityUuid) ?? [];
    if (known.at(-1) !== state) known.push(state);
    states.set(row.entityUuid, known);
  }

  async function readAll(): Promise<void> {
    for (;;) {
      const rows = await store.changes.read(position, readAtOnce);
      for (const row of rows) take(row);
      if (rows.length < readAtOnce) return;
    }
  }

  async function follow(): Promise<void> {
    while (!isEnding && !aborted.aborted) {
      // The database may be unavailable. The next poll reads the missed events.
      await readAll().catch(() => undefined);
      await sleep(pauseMs);
    }
    if (isEnding) await readAll();
  }

  const following = follow();
  return {
    statesOf: (action) => states.get(action) ?? [],
    gaps: () => gaps,
    stop() {
      isEnding = true;
      return following;
    },
  };
}
