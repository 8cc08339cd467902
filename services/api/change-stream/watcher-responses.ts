import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type Clock, type Logger, messageOf, NotFoundError } from '#libs/domain';
import type { LogPosition, Store, Watcher } from '#libs/store';
import type { Policy } from '../auth/policy.ts';
import { ApiFault } from '../http/faults/fault.ts';
import { whileClientWaits } from '../http/request/while-client-waits.ts';
import type { ViewContext } from '../views/view-context.ts';
import type { ChangeTail } from './change-tail.ts';
import { type DeltaReply, replyText } from './event-frames.ts';
import { userOf } from './event-streams.ts';
import type { ProgressOf } from './load-entries.ts';
import { partSize, readChanges } from './read-changes.ts';
import { snapshotPages } from './snapshot-pages.ts';
import type { Reading } from './stream-deltas.ts';
import { createDeltaTexts, judge, mergeEntries, type StreamEntry } from './stream-entry.ts';
import { requireKept, streamFault } from './stream-faults.ts';
import type { StreamMetrics } from './stream-metrics.ts';
import { filterOfStored, mayRead } from './watch-filter.ts';

export interface WatcherResponsesDeps {
  store: Store;
  policy: Policy;
  logger: Logger;
  clock: Clock;
  tail: ChangeTail;
  progressOf: ProgressOf;
  metrics: StreamMetrics;
}

/** Serves `next` of long-poll watchers. */
export interface WatcherResponses {
  /**
   * The JSON of the next response: the full state the first time, later the changes, after waiting up to `timeoutMs`
   * for them.
   * @throws NotFoundError, ApiFault 410 or 503
   */
  next(request: FastifyRequest, id: string, context: ViewContext, timeoutMs: number): Promise<string>;
  /** Ends every wait. */
  close(): void;
}

/** Entries to send, and the watcher's position afterwards. */
interface Result {
  reply: DeltaReply;
  to: { position: LogPosition; pageAfter: string | null; pagedUntil: number };
}

/** Changes of a window, and its end. */
interface Found {
  entries: StreamEntry[];
  /** Position in the memory of this process. Null when they are from the log. */
  sequence: number | null;
  at: LogPosition;
  more: boolean;
}

const revokedText = 'The token was revoked or has expired during the wait.';
/** Pause between two reads of the log by one request. */
const againMs = 20;
/** Interval at which waiting requests check for a stopped watcher without a notification. */
const stoppedCheckMs = 900;

/** Makes the long-poll side of the change stream. */
export function createWatcherResponses(deps: WatcherResponsesDeps): WatcherResponses {
  const { store, tail, policy } = deps;
  const { watchers } = store.changeStream;
  const textOf = createDeltaTexts();
  const closing = new AbortController();
  /** Requests of one watcher are processed one after the other. */
  const queues = new Map<string, Promise<unknown>>();
  const waits = new Map<string, { wake(): void; stop(): void; fail(): void }>();
  const stopListening = tail.listen({
    published: () => forEachWait((wait) => wait.wake()),
    failed: () => forEachWait((wait) => wait.fail()),
  });
  const checking = setInterval(checkStopped, stoppedCheckMs).unref();
  const stopped = watchers.onStopped(checkStopped);

  function forEachWait(act: (wait: { wake(): void; stop(): void; fail(): void }) => void): void {
    for (const wait of [...waits.values()]) act(wait);
  }

  function checkStopped(): void {
    if (waits.size === 0) return;
    watchers
      .stopped([...waits.keys()])
      .then((ids) => {
        for (const id of ids) waits.get(id)?.stop();
      })
      .catch((error: unknown) => deps.logger.debug({ reason: messageOf(error) }, 'cannot read stopped watchers'));
  }

  /** Waits for changes. Rejects when the watcher is stopped or the stream is interrupted. */
  function wait(id: string, ms: number, ending: AbortSignal): Promise<void> {
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
  }

  async function usable(request: FastifyRequest, id: string): Promise<Watcher> {
    const watcher = await watchers.use(id);
    if (!watcher || watcher.owner !== userOf(request)) throw new NotFoundError('Watcher', id);
    if (watcher.isStopped) throw streamFault('watcher_stopped');
    if (!mayRead(filterOfStored(watcher.filter), policy, request.caller)) throw streamFault('resync_required');
    return watcher;
  }

  /** The full state, or the rest of it. Pages are read on request. Changes during that time come after them. */
  function page(watcher: Watcher, reading: Reading): Promise<Result> {
    return store.changeStream.snapshot(async (unit, at) => {
      const position = watcher.position ?? at;
      if (position.epoch !== at.epoch) throw streamFault('resync_required');
      const options = { size: partSize, revno: at.revno, progressOf: deps.progressOf };
      const pages = snapshotPages(unit, reading.filter, { ...options, after: watcher.pageAfter ?? undefined });
      const { value: found } = await pages.next();
      const entries: StreamEntry[] = found?.entries ?? [];
      const pageAfter: string | null = entries.length === partSize ? found.last : null;
      const more = pageAfter !== null || at.revno > position.revno;
      const deltas = entries.map((entry) => textOf(entry, 'change', reading.context));
      return { reply: { ...position, deltas, more }, to: { position, pageAfter, pagedUntil: at.revno } };
    });
  }

  /** Changes since `position`, from memory when available. */
  async function changesSince(
    place: { sequence: number } | LogPosition,
    position: LogPosition,
    pagedUntil: number,
  ): Promise<Found> {
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
      const { value: part } = await readChanges(store, unit, position, at, deps.progressOf).next();
      const to = { epoch: at.epoch, revno: part?.to ?? at.revno };
      return { entries: part?.entries ?? [], sequence: null, at: to, more: part?.more ?? false };
    });
  }

  function responseOf(changes: Found, watcher: Watcher, reading: Reading, from: LogPosition): Result {
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

  async function waitForChanges(
    watcher: Watcher,
    position: LogPosition,
    reading: Reading,
    { timeoutMs, ending }: { timeoutMs: number; ending: AbortSignal },
  ): Promise<Result> {
    const deadline = performance.now() + timeoutMs;
    let from = position;
    let sequence: number | null = null;
    for (;;) {
      const changes = await changesSince(sequence === null ? from : { sequence }, from, watcher.pagedUntil);
      const answer = responseOf(changes, watcher, reading, from);
      const left = deadline - performance.now();
      if (answer.reply.deltas.length > 0 || left <= 0 || ending.aborted) return answer;
      from = changes.at;
      sequence = changes.sequence;
      // Changes that arrived while the log was read are in memory or in the log by now.
      if (sequence === null) await sleep(againMs);
      else await wait(watcher.id, left, ending);
    }
  }

  async function answer(request: FastifyRequest, id: string, context: ViewContext, timeoutMs: number): Promise<string> {
    return whileClientWaits(request, (left) =>
      respondUntil(AbortSignal.any([closing.signal, left]), request, id, context, timeoutMs),
    );
  }

  /** A wait outlives the first check of the token. While Keystone is unavailable, only the token's expiry counts. */
  async function mayStillReceive({ credentials, sessionHash }: FastifyRequest): Promise<boolean> {
    if (sessionHash !== null && (await store.db.dashboardSessions.ended([sessionHash])).length > 0) return false;
    if (credentials === null) return true;
    if (credentials.expiresAt <= deps.clock.now()) return false;
    return credentials.isValid().catch((error: unknown) => {
      deps.logger.debug({ reason: messageOf(error) }, 'cannot validate token of long poll');
      return true;
    });
  }

  async function requireValidToken(request: FastifyRequest): Promise<void> {
    if (!(await mayStillReceive(request))) throw new ApiFault(401, revokedText);
  }

  async function respondUntil(
    ending: AbortSignal,
    request: FastifyRequest,
    id: string,
    context: ViewContext,
    timeoutMs: number,
  ): Promise<string> {
    for (;;) {
      const watcher = await usable(request, id);
      const reading = { filter: filterOfStored(watcher.filter), context };
      const { position, pageAfter } = watcher;
      const found =
        position === null || pageAfter !== null
          ? await page(watcher, reading)
          : await waitForChanges(watcher, position, reading, { timeoutMs, ending });
      if (position !== null) await requireValidToken(request);
      // A client that disconnected during the read has received nothing.
      if (request.raw.socket?.destroyed) return '';
      if (await watchers.move(id, watcher.version, found.to)) return replyText(found.reply);
    }
  }

  return {
    next(request, id, context, timeoutMs) {
      const before = queues.get(id) ?? Promise.resolve();
      const mine = before.then(() => answer(request, id, context, timeoutMs));
      const settled = mine.then(
        () => undefined,
        () => undefined,
      );
      queues.set(id, settled);
      void settled.then(() => {
        if (queues.get(id) === settled) queues.delete(id);
      });
      return mine;
    },
    close() {
      closing.abort();
      clearInterval(checking);
      stopListening();
      void stopped.then((stop) => stop()).catch(() => undefined);
    },
  };
}

function newTo({ from, to, entries }: { from: number; to: number; entries: StreamEntry[] }, seen: number) {
  const isProgress = from === to;
  return entries.filter((entry) => (isProgress ? seen <= to : entry.revno > seen));
}
