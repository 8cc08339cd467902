import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, type JsonObject, type Logger, messageOf } from '#libs/domain';
import type { Consumer, MessageBus } from '#libs/messaging';
import { type Metrics, type Periodic, startPeriodic } from '#libs/service-kit';
import type { LogPosition, Store } from '#libs/store';
import type { Policy } from '../auth/policy.ts';
import type { ViewContext } from '../views/view-context.ts';
import { type ChangeTail, startChangeTail } from './change-tail.ts';
import { createEventStreams, type EventStreams } from './event-streams.ts';
import { createProgressNotes } from './progress-notes.ts';
import { createStreamDeltas, type Reading } from './stream-deltas.ts';
import { type StreamLimits, streamFault } from './stream-faults.ts';
import { createStreamMetrics } from './stream-metrics.ts';
import { createWatcherResponses, type WatcherResponses } from './watcher-responses.ts';

export interface ChangeStreamDeps {
  store: Store;
  policy: Policy;
  logger: Logger;
  clock: Clock;
  metrics: Metrics;
  /** Reports the progress of actions. Without it, the stream has no progress. */
  bus?: Partial<Pick<MessageBus, 'subscribe'>>;
  limits?: Partial<StreamLimits>;
}

/** The change stream of a process. It starts with the first client. */
export interface ChangeStream {
  readonly limits: StreamLimits;
  /** Responds to a request with a stream of events. */
  open(request: FastifyRequest, reply: FastifyReply, reading: Reading, since: LogPosition | null): Promise<void>;
  /** The JSON of a watcher's next response. */
  next(request: FastifyRequest, id: string, context: ViewContext, timeoutMs: number): Promise<string>;
  /**
   * A position in the change log that reads of the database from now on include. Null while no client follows the log.
   */
  position(): LogPosition | null;
  /** Ends all streams and waits immediately. */
  close(): Promise<void>;
}

interface Running {
  tail: ChangeTail;
  streams: EventStreams;
  responses: WatcherResponses;
  measuring: Periodic;
  progress: Consumer | null;
}

const defaultLimits: StreamLimits = {
  perUser: 100,
  maxStreamSeconds: 300,
  heartbeatSeconds: 15,
  maxWaitingBytes: 4 * 1024 * 1024,
};
const measureMs = 15_000;

/** Makes the change stream. */
export function createChangeStream(deps: ChangeStreamDeps): ChangeStream {
  // The configured limits may be reloaded.
  const limits: StreamLimits = {
    ...defaultLimits,
    ...deps.limits,
    get perUser() {
      return deps.limits?.perUser ?? defaultLimits.perUser;
    },
    get maxStreamSeconds() {
      return deps.limits?.maxStreamSeconds ?? defaultLimits.maxStreamSeconds;
    },
  };
  const metrics = createStreamMetrics(deps.metrics, deps.clock);
  let starting: Promise<Running> | null = null;
  let started: ChangeTail | null = null;
  let isClosed = false;

  async function start(): Promise<Running> {
    const { store, logger } = deps;
    const notes = createProgressNotes();
    const tail = await startChangeTail({ store, logger, progress: notes, metrics });
    const shared = { ...deps, tail, progressOf: notes.of, metrics, deltas: createStreamDeltas(), limits };
    const measuring = startPeriodic({
      name: 'change stream measurement',
      everyMs: measureMs,
      logger,
      run: async () => {
        metrics.log(await store.changeStream.measure());
        metrics.watchers(await store.changeStream.watchers.count());
      },
    });
    const progress = await followProgress(notes.note);
    started = tail;
    return {
      tail,
      streams: createEventStreams(shared),
      responses: createWatcherResponses(shared),
      measuring,
      progress,
    };
  }

  /** Without a broker only the progress is missing. */
  async function followProgress(note: (body: JsonObject) => void): Promise<Consumer | null> {
    try {
      return (await deps.bus?.subscribe?.('action.progress', note)) ?? null;
    } catch (error) {
      deps.logger.info({ reason: messageOf(error) }, 'cannot subscribe to action progress');
      return null;
    }
  }

  function running(): Promise<Running> {
    if (isClosed) return Promise.reject(streamFault('stream_reset'));
    starting ??= start().catch((error: unknown) => {
      starting = null;
      throw error;
    });
    return starting;
  }

  return {
    limits,
    open: async (request, reply, reading, since) => (await running()).streams.open(request, reply, reading, since),
    next: async (request, id, context, timeoutMs) => (await running()).responses.next(request, id, context, timeoutMs),
    position: () => started?.position() ?? null,
    async close() {
      isClosed = true;
      const { streams, responses, tail, measuring, progress } = (await starting?.catch(() => null)) ?? {};
      responses?.close();
      await Promise.all([streams?.close(), tail?.stop(), measuring?.stop(), progress?.stop()]);
    },
  };
}
