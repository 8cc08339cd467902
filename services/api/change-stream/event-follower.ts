import type { LogPosition, Store } from '#libs/store';
import type { Batch, ChangeTail } from './change-tail.ts';
import type { EventConnection } from './event-connection.ts';
import { deltaFrame } from './event-frames.ts';
import type { ProgressOf } from './load-entries.ts';
import { type ChangePart, readChanges } from './read-changes.ts';
import type { Changes, Reading, StreamDeltas } from './stream-deltas.ts';

/** The change layer of one event stream client. */
export interface EventFollower {
  /** Sends new changes. */
  pump(): void;
  /** Sends a heartbeat. It includes the log position when no recent change matched this client. */
  beat(): void;
}

export interface FollowerDeps {
  store: Store;
  tail: ChangeTail;
  deltas: StreamDeltas;
  progressOf: ProgressOf;
  /** Runs a read that holds a connection for a while. */
  limited<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the client may still read these entities. */
  isAllowed(): boolean;
}

const heartbeat = Buffer.from(': heartbeat\n\n');

/** Follows the log for a client that has received everything up to `start`. */
export function createEventFollower(
  deps: FollowerDeps,
  connection: EventConnection,
  reading: Reading,
  start: LogPosition,
): EventFollower {
  let seen = start;
  /** Position of the last event with an id. */
  let reported = start.revno;
  let sequence: number | null = null;
  /** Whether the client waits for the rest of a group. */
  let isOpenGroup = false;
  let isCatchingUp = false;

  function send(changes: Changes, more: boolean): void {
    const deltas = deps.deltas.of(changes, reading, seen.revno);
    if (!more) seen = { epoch: seen.epoch, revno: Math.max(seen.revno, changes.to) };
    if (deltas.length === 0 && !(isOpenGroup && !more)) return;
    isOpenGroup = more;
    if (!more) reported = seen.revno;
    connection.send(deps.deltas.frame({ epoch: seen.epoch, revno: more ? changes.to : seen.revno, deltas, more }));
  }

  function sendBatches(batches: readonly Batch[]): void {
    for (const batch of batches) {
      if (!connection.isOpen) return;
      if (batch.epoch === seen.epoch) send(batch, batch.more);
      else connection.reset('resync_required');
    }
  }

  async function sendPart(part: ChangePart): Promise<void> {
    send(part, part.more);
    await connection.drained();
  }

  async function catchUp(): Promise<void> {
    await deps.limited(() =>
      deps.store.changeStream.snapshot(async (unit, at) => {
        if (at.epoch !== seen.epoch) {
          connection.reset('resync_required');
          return;
        }
        for await (const part of readChanges(deps.store, unit, seen, at, deps.progressOf)) {
          if (!connection.isOpen) return;
          await sendPart(part);
        }
      }),
    );
    sequence = null;
  }

  function pump(): void {
    if (!connection.isOpen || isCatchingUp) return;
    if (!deps.isAllowed()) {
      connection.reset('resync_required');
      return;
    }
    const recent = deps.tail.after(sequence === null ? seen : { sequence });
    if (recent) {
      sendBatches(recent.batches);
      sequence = recent.sequence;
      return;
    }
    isCatchingUp = true;
    catchUp()
      .catch(() => connection.reset('stream_reset'))
      .finally(() => {
        isCatchingUp = false;
        pump();
      });
  }

  return {
    pump,
    beat() {
      if (!connection.isOpen) return;
      const isBehind = reported < seen.revno && !isOpenGroup;
      reported = seen.revno;
      connection.send(isBehind ? deltaFrame('deltas', { ...seen, deltas: [], more: false }) : heartbeat);
    },
  };
}
