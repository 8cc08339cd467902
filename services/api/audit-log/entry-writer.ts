import { doublingPause, type Logger, messageOf } from '#libs/domain';
import type { Metrics } from '#libs/service-kit';
import type { AuditLogEntry, Store } from '#libs/store';

/** Writes audit log entries after the response. No request waits for it. It waits for the database. */
export interface EntryWriter {
  add(entry: AuditLogEntry): void;
  /** Writes the waiting entries, for at most two seconds. */
  stop(): Promise<void>;
}

export interface EntryWriterDeps {
  store: Store;
  logger: Logger;
  metrics: Metrics;
}

/** Maximum number of waiting entries. The oldest are dropped first. Each is also a line of the process log. */
const maxWaiting = 10_000;
const batchSize = 200;
const gatherMs = 50;
const maxPauseMs = 10_000;
/** Failed attempts after which each waiting entry is written separately and dropped when that fails. */
const maxFailures = 6;
const stopMs = 2_000;

/** Makes a writer. While the database is unavailable, it retries with pauses that double up to 10 s. */
export function createEntryWriter({ store, logger, metrics }: EntryWriterDeps): EntryWriter {
  const lost = metrics.counter('vigil_audit_log_lost_total', 'Entries of the audit log that could not be stored');
  const waiting: AuditLogEntry[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let failures = 0;
  let isSealing = false;
  let isSealDue = false;

  function schedule(): void {
    if (timer || writing || waiting.length === 0) return;
    const pauseMs = failures === 0 ? gatherMs : doublingPause(failures, { firstMs: 100, longestMs: maxPauseMs });
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
          logger.warn({ reason: messageOf(error), waiting: waiting.length }, 'cannot write audit log, retrying');
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
    // An entry that can never be stored must not block the others.
    if (!isWritten) for (const entry of batch) await writeAlone(entry);
    const done = new Set(batch);
    waiting.splice(0, waiting.length, ...waiting.filter((entry) => !done.has(entry)));
    seal();
  }

  /** Beside the writing, which never waits for it. Entries that are written during it are sealed by another call. */
  function seal(): void {
    isSealDue = true;
    if (!isSealing) void sealDue();
  }

  async function sealDue(): Promise<void> {
    isSealing = true;
    while (isSealDue) {
      isSealDue = false;
      await store.db.auditLog.seal().catch((error: unknown) => {
        logger.info({ reason: messageOf(error) }, 'cannot seal the audit log yet');
      });
    }
    isSealing = false;
  }

  async function writeAlone(entry: AuditLogEntry): Promise<void> {
    if (await store.db.auditLog.record([entry])) return;
    lost.inc({});
    logger.error({ requestId: entry.requestId }, 'cannot store audit log entry');
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
