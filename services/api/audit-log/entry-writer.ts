import { type Logger, messageOf } from '#libs/domain';
import type { Metrics } from '#libs/service-kit';
import type { AuditLogEntry, Store } from '#libs/store';

/** Writes entries of the audit log behind the requests: nobody waits for it, and it waits for the database. */
export interface EntryWriter {
  add(entry: AuditLogEntry): void;
  /** Writes what waits, for at most two seconds. */
  stop(): Promise<void>;
}

export interface EntryWriterDeps {
  store: Store;
  logger: Logger;
  metrics: Metrics;
}

/** Entries that wait at most. The oldest go then. Each is a line of the process log as well. */
const maxWaiting = 10_000;
const batchSize = 200;
const gatherMs = 50;
const maxPauseMs = 10_000;
/** Tries after which each entry that waits is tried alone, and given up when it fails. */
const maxFailures = 6;
const stopMs = 2_000;

/** Makes a writer. While the database is unavailable it tries again after pauses that double up to 10 s. */
export function createEntryWriter({ store, logger, metrics }: EntryWriterDeps): EntryWriter {
  const lost = metrics.counter('vigil_audit_log_lost_total', 'Entries of the audit log that could not be stored');
  const waiting: AuditLogEntry[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let failures = 0;

  function schedule(): void {
    if (timer || writing || waiting.length === 0) return;
    const pauseMs = failures === 0 ? gatherMs : Math.min(maxPauseMs, 100 * 2 ** Math.min(failures, 10));
    timer = setTimeout(() => {
      timer = null;
      void write();
    }, pauseMs).unref();
  }

  function write(): Promise<void> {
    writing ??= writeBatch()
      .then(
        () => {
          failures = 0;
        },
        (error: unknown) => {
          failures += 1;
          logger.warn({ reason: messageOf(error), waiting: waiting.length }, 'the audit log waits for the database');
        },
      )
      .finally(() => {
        writing = null;
        schedule();
      });
    return writing;
  }

  async function writeBatch(): Promise<void> {
    const batch = waiting.slice(0, batchSize);
    const isWritten = await store.db.auditLog.record(batch);
    if (!isWritten && failures < maxFailures) throw new Error('the entries were refused');
    // One that cannot be stored at all must not keep the others from it.
    if (!isWritten) for (const entry of batch) await writeAlone(entry);
    const done = new Set(batch);
    waiting.splice(0, waiting.length, ...waiting.filter((entry) => !done.has(entry)));
  }

  async function writeAlone(entry: AuditLogEntry): Promise<void> {
    if (await store.db.auditLog.record([entry])) return;
    lost.inc({});
    logger.error({ requestId: entry.requestId }, 'an entry of the audit log could not be stored');
  }

  return {
    add(entry) {
      waiting.push(entry);
      if (waiting.length > maxWaiting) {
        waiting.shift();
        lost.inc({});
      }
      schedule();
    },
    async stop() {
      if (timer) clearTimeout(timer);
      const deadline = performance.now() + stopMs;
      await writing;
      while (waiting.length > 0 && performance.now() < deadline && failures === 0) await write();
      if (timer) clearTimeout(timer);
    },
  };
}
