import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, type Logger, messageOf } from '#libs/domain';
import { createSemaphore } from '#libs/service-kit';
import type { LogPosition, Store } from '#libs/store';
import type { Policy } from '../auth/policy.ts';
import { timeHeader, timeText } from '../http/request/server-timing.ts';
import type { ChangeTail } from './change-tail.ts';
import { createEventConnection, type EventConnection } from './event-connection.ts';
import { createEventFollower, type EventFollower } from './event-follower.ts';
import { createFrameCoding } from './frame-coding.ts';
import type { ProgressOf } from './load-entries.ts';
import { createSnapshotFeed } from './snapshot-feed.ts';
import { type AdmittedClient, startAccessChecks } from './stream-access.ts';
import type { Reading, StreamDeltas } from './stream-deltas.ts';
import { requireKept, type StreamLimits, streamFault } from './stream-faults.ts';
import type { StreamMetrics } from './stream-metrics.ts';
import { mayRead } from './watch-filter.ts';

export interface EventStreamDeps {
  store: Store;
  policy: Policy;
  logger: Logger;
  clock: Clock;
  tail: ChangeTail;
  deltas: StreamDeltas;
  progressOf: ProgressOf;
  metrics: StreamMetrics;
  limits: StreamLimits;
}

/** The clients of the event stream. */
export interface EventStreams {
  /** Responds with a stream: the changes after `since`, or else the full state and all later changes. */
  open(request: FastifyRequest, reply: FastifyReply, reading: Reading, since: LogPosition | null): Promise<void>;
  /** Ends every stream. Clients reconnect elsewhere. */
  close(): Promise<void>;
}

interface Client extends AdmittedClient {
  user: string;
  connection: EventConnection;
  follower: EventFollower | null;
  endsAt: number;
}

/** Maximum parallel catch-up reads for clients that are behind. */
const maxCatchingUp = 3;

/** Makes the event streams of a process. */
export function createEventStreams(deps: EventStreamDeps): EventStreams {
  const { store, policy, tail, metrics, limits } = deps;
  const clients = new Set<Client>();
  const stopAccessChecks = startAccessChecks(clients, deps);
  const snapshots = createSnapshotFeed(store, deps.progressOf);
  const places = createSemaphore(maxCatchingUp);
  const stopListening = tail.listen({
    published: () => forEachClient(({ follower }) => follower?.pump()),
    failed: () => forEachClient(({ connection }) => connection.reset('stream_reset')),
  });
  const beating = setInterval(() => forEachClient(beat), limits.heartbeatSeconds * 1000).unref();

  function forEachClient(act: (client: Client) => unknown): void {
    for (const client of [...clients]) act(client);
  }

  function beat({ connection, follower, endsAt }: Client): void {
    if (performance.now() >= endsAt && follower) connection.end();
    else if (follower) follower.beat();
  }

  function connect(request: FastifyRequest, reply: FastifyReply): Client {
    const user = userOf(request);
    const coding = createFrameCoding(String(request.headers['accept-encoding'] ?? ''));
    startResponse(reply, coding.name, timeText(deps.clock));
    const endsAt = performance.now() + limits.maxStreamSeconds * 1000;
    const connection = createEventConnection(reply.raw, {
      coding,
      maxWaitingBytes: limits.maxWaitingBytes,
      onReset: metrics.reset,
      onDisconnect() {
        clients.delete(client);
        metrics.streams(clients.size);
      },
    });
    const { sessionHash: session, credentials } = request;
    const client: Client = { user, session, credentials, connection, follower: null, endsAt };
    clients.add(client);
    metrics.streams(clients.size);
    return client;
  }

  async function start(
    client: Client,
    request: FastifyRequest,
    reading: Reading,
    since: LogPosition | null,
  ): Promise<void> {
    const { connection } = client;
    const place = since ?? (await snapshots.join(connection, reading));
    const isAllowed = () => mayRead(reading.filter, policy, request.caller);
    client.follower = createEventFollower({ ...deps, limited: places.run, isAllowed }, connection, reading, place);
    client.follower.pump();
  }

  return {
    async open(request, reply, reading, since) {
      if (since) requireKept(since, await store.changes.bounds());
      const user = userOf(request);
      const count = [...clients].filter((client) => client.user === user).length;
      if (count >= limits.perUser) throw streamFault('too_many_watchers');
      const client = connect(request, reply);
      await start(client, request, reading, since).catch((error: unknown) => {
        deps.logger.info({ reason: messageOf(error), requestId: request.id }, 'cannot start change stream');
        client.connection.reset('stream_reset');
      });
    },
    async close() {
      clearInterval(beating);
      stopListening();
      forEachClient(({ connection }) => connection.end());
      await stopAccessChecks();
    },
  };
}

/** Owner of streams and watchers. */
export function userOf({ caller }: FastifyRequest): string {
  return caller.userId ?? caller.userName ?? 'anonymous';
}

/** Sends the head of a stream's response. Its events follow on `reply.raw`. */
function startResponse(reply: FastifyReply, encoding: string | null, time: string): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // A stream that ends closes its connection, so that it does not delay process shutdown.
    connection: 'close',
    'x-accel-buffering': 'no',
    vary: [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', '),
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
    [timeHeader]: time,
  });
  reply.raw.flushHeaders();
}
