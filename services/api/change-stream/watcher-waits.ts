import { type Logger, messageOf } from '#libs/domain';
import type { Store } from '#libs/store';
import type { ChangeTail } from './change-tail.ts';
import { streamFault } from './stream-faults.ts';

export interface WatcherWaitsDeps {
  watchers: Store['changeStream']['watchers'];
  tail: ChangeTail;
  logger: Logger;
}

/** The requests of long-poll watchers that wait for changes in this process, at most one for each watcher. */
export interface WatcherWaits {
  /**
   * Waits for changes, up to `ms` or until `ending` fires.
   * @throws ApiFault when the watcher is stopped or the stream is interrupted
   */
  wait(id: string, ms: number, ending: AbortSignal): Promise<void>;
  /** Ends the checks. Waits continue until their own end. */
  close(): void;
}

/** How a wait can end before its time. */
interface Wait {
  wake(): void;
  stop(): void;
  fail(): void;
}

/** Interval at which waiting requests check for a stopped watcher without a notification. */
const stoppedCheckMs = 900;

/** Makes the waits, which the tail wakes and the end of a watcher stops. */
export function createWatcherWaits({ watchers, tail, logger }: WatcherWaitsDeps): WatcherWaits {
  const waits = new Map<string, Wait>();
  const stopListening = tail.listen({
    published: () => forEachWait((wait) => wait.wake()),
    failed: () => forEachWait((wait) => wait.fail()),
  });
  const checking = setInterval(checkStopped, stoppedCheckMs).unref();
  const stopped = watchers.onStopped(checkStopped);

  function forEachWait(act: (wait: Wait) => void): void {
    for (const wait of [...waits.values()]) act(wait);
  }

  function checkStopped(): void {
    if (waits.size === 0) return;
    watchers
      .stopped([...waits.keys()])
      .then((ids) => {
        for (const id of ids) waits.get(id)?.stop();
      })
      .catch((error: unknown) => logger.debug({ reason: messageOf(error) }, 'cannot read stopped watchers'));
  }

  return {
    wait(id, ms, ending) {
      return new Promise((resolve, reject) => {
        const end = (finish: () => void) => () => {
          clearTimeout(timer);
          ending.removeEventListener('abort', wake);
          waits.delete(id);
          finish();
        };
        const wake = end(resolve);
        const timer = setTimeout(wake, ms);
        ending.addEventListener('abort', wake);
        waits.set(id, {
          wake,
          stop: end(() => reject(streamFault('watcher_stopped'))),
          fail: end(() => reject(streamFault('stream_reset'))),
        });
      });
    },
    close() {
      clearInterval(checking);
      stopListening();
      void stopped.then((stop) => stop()).catch(() => undefined);
    },
  };
}
