import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type Clock, type Logger, NotFoundError } from '#libs/domain';
import type { LogPosition, Store, Watcher } from '#libs/store';
import type { Policy } from '../auth/policy.ts';
import { ApiFault } from '../http/faults/fault.ts';
import { whileClientWaits } from '../http/request/while-client-waits.ts';
import type { ViewContext } from '../views/view-context.ts';
import type { ChangeTail } from './change-tail.ts';
import { replyText } from './event-frames.ts';
import { userOf } from './event-streams.ts';
import type { ProgressOf } from './load-entries.ts';
import { hasValidToken } from './stream-access.ts';
import type { Reading } from './stream-deltas.ts';
import { streamFault } from './stream-faults.ts';
import type { StreamMetrics } from './stream-metrics.ts';
import { filterOfStored, mayRead } from './watch-filter.ts';
import { createWatcherReader, type WatcherResult } from './watcher-reader.ts';
import { createWatcherWaits } from './watcher-waits.ts';

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

const revokedText = 'The token was revoked or has expired during the wait.';
/** Pause between two reads of the log by one request. */
const againMs = 20;

/** Makes the long-poll side of the change stream. */
export function createWatcherResponses(deps: WatcherResponsesDeps): WatcherResponses {
  const { store, policy, tail, logger, clock } = deps;
  const { watchers } = store.changeStream;
  const reader = createWatcherReader(deps);
  const waits = createWatcherWaits({ watchers, tail, logger });
  const closing = new AbortController();
  /** Requests of one watcher are processed sequentially. */
  const queues = new Map<string, Promise<unknown>>();

  async function usable(request: FastifyRequest, id: string): Promise<Watcher> {
    const watcher = await watchers.use(id);
    if (!watcher || watcher.owner !== userOf(request)) throw new NotFoundError('Watcher', id);
    if (watcher.isStopped) throw streamFault('watcher_stopped');
    if (!mayRead(filterOfStored(watcher.filter), policy, request.caller)) throw streamFault('resync_required');
    return watcher;
  }

  async function waitForChanges(
    watcher: Watcher,
    position: LogPosition,
    reading: Reading,
    { timeoutMs, ending }: { timeoutMs: number; ending: AbortSignal },
  ): Promise<WatcherResult> {
    const deadline = performance.now() + timeoutMs;
    let from = position;
    let sequence: number | null = null;
    for (;;) {
      const changes = await reader.changesSince(sequence === null ? from : { sequence }, from, watcher.pagedUntil);
      const response = reader.responseOf(changes, watcher, reading, from);
      const left = deadline - performance.now();
      if (response.reply.deltas.length > 0 || left <= 0 || ending.aborted) return response;
      from = changes.at;
      sequence = changes.sequence;
      // Changes that arrived while the log was read are in memory or in the log by now.
      if (sequence === null) await sleep(againMs);
      else await waits.wait(watcher.id, left, ending);
    }
  }

  async function respond(
    request: FastifyRequest,
    id: string,
    context: ViewContext,
    timeoutMs: number,
  ): Promise<string> {
    return whileClientWaits(request, (left) =>
      respondUntil(AbortSignal.any([closing.signal, left]), request, id, context, timeoutMs),
    );
  }

  /** A wait outlives the first check of the session and the token. */
  async function mayStillReceive({ credentials, sessionHash }: FastifyRequest): Promise<boolean> {
    if (sessionHash !== null && (await store.db.dashboardSessions.ended([sessionHash])).length > 0) return false;
    return hasValidToken(credentials, { clock, logger, reader: 'long poll' });
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
          ? await reader.page(watcher, reading)
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
      const mine = before.then(() => respond(request, id, context, timeoutMs));
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
      waits.close();
    },
  };
}
