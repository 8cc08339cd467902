import type { ServerResponse } from 'node:http';
import { resetFrame } from './event-frames.ts';
import type { FrameCoding } from './frame-coding.ts';
import type { StreamCode } from './stream-faults.ts';

/** The byte layer of one event stream client. */
export interface EventConnection {
  readonly isOpen: boolean;
  /** Sends bytes. Returns false when the client was dropped because its backlog exceeds the limit. */
  send(frame: Buffer): boolean;
  /** Resolves when the backlog is sent or the connection is closed. Drops a client that takes too long. */
  drained(): Promise<void>;
  /** Sends a reason and closes. */
  reset(code: StreamCode): void;
  /** Closes without a reason. The client reconnects automatically. */
  end(): void;
}

export interface EventConnectionOptions {
  /** Encoding of frames. */
  coding: FrameCoding;
  /** Maximum backlog of the client in bytes. */
  maxWaitingBytes: number;
  /** Called once when the connection has closed, for any reason. */
  onDisconnect(): void;
  /** Called when the client has to restart. */
  onReset(code: StreamCode): void;
}

const drainMs = 10_000;
/** Time to deliver the last event before the socket is closed. */
const lingerMs = 1_000;

/** Wraps a response whose headers were sent. */
export function createEventConnection(raw: ServerResponse, options: EventConnectionOptions): EventConnection {
  let isOpen = true;
  function gone(): void {
    if (!isOpen) return;
    isOpen = false;
    options.onDisconnect();
  }
  raw.on('close', gone);
  raw.on('error', gone);

  function finish(): void {
    gone();
    raw.end(options.coding.end());
    setTimeout(() => raw.destroy(), lingerMs).unref();
  }

  function reset(code: StreamCode): void {
    if (!isOpen) return;
    options.onReset(code);
    raw.write(options.coding.encode(resetFrame(code)));
    finish();
  }

  return {
    get isOpen() {
      return isOpen;
    },
    send(frame) {
      if (!isOpen) return false;
      if (raw.writableLength > options.maxWaitingBytes) {
        reset('resync_required');
        return false;
      }
      raw.write(options.coding.encode(frame));
      return true;
    },
    async drained() {
      if (!isOpen || raw.writableLength === 0) return;
      const isDrained = await new Promise<boolean>((resolve) => {
        const end = (isDone: boolean) => {
          clearTimeout(timer);
          raw.off('drain', done);
          raw.off('close', done);
          resolve(isDone);
        };
        const done = () => end(true);
        const timer = setTimeout(() => end(false), drainMs);
        raw.on('drain', done);
        raw.on('close', done);
        if (!raw.writableNeedDrain) done();
      });
      if (!isDrained) reset('resync_required');
    },
    reset,
    end: () => {
      if (isOpen) finish();
    },
  };
}
