import type { ServerResponse } from 'node:http';
import { resetFrame } from './event-frames.ts';
import type { FrameCoding } from './frame-coding.ts';
import type { StreamCode } from './stream-faults.ts';

/** One client of the event stream, as far as bytes go. */
export interface EventConnection {
  readonly isOpen: boolean;
  /** Sends bytes. False when the client was dropped because too many wait for it. */
  send(frame: Buffer): boolean;
  /** Resolves when nothing waits any more, or the connection is gone. Drops a client that takes too long. */
  drained(): Promise<void>;
  /** Says why and ends. */
  reset(code: StreamCode): void;
  /** Ends without a reason: the client continues by itself. */
  end(): void;
}

export interface EventConnectionOptions {
  /** How frames become bytes. */
  coding: FrameCoding;
  /** Bytes that may wait for the client. */
  maxWaitingBytes: number;
  /** Told once when the connection is gone, for whatever reason. */
  onGone(): void;
  /** Told when the client is told to start again. */
  onReset(code: StreamCode): void;
}

const drainMs = 10_000;
/** Time to take the last event before the socket is closed. */
const lingerMs = 1_000;

/** Wraps a response whose head was sent. */
export function createEventConnection(raw: ServerResponse, options: EventConnectionOptions): EventConnection {
  let isOpen = true;
  function gone(): void {
    if (!isOpen) return;
    isOpen = false;
    options.onGone();
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
