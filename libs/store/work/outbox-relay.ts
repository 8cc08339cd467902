import { type Clock, type Logger, messageOf } from '#libs/domain';
import type { Envelope, MessageBus } from '#libs/messaging';
import type { Teardown } from '#libs/service-kit';
import { formatTraceparent, noTracer, type Span, type Tracer } from '#libs/tracing';
import type { OutboxQueue, OutboxRow } from './outbox-queue.ts';

const batchSize = 100;

/** Metrics of the relay. */
export interface OutboxRelayMetrics {
  /** Messages that the broker confirmed. */
  published(count: number): void;
  /** Messages kept for a later attempt. */
  failed(count: number): void;
}

/** Dependencies of a relay. `metrics`, `pollMs`, `loops` and `tracer` are optional. */
export interface OutboxRelayDeps {
  outboxQueue: OutboxQueue;
  bus: Pick<MessageBus, 'publish' | 'system'>;
  logger: Logger;
  clock: Clock;
  metrics?: OutboxRelayMetrics;
  /** Poll interval without a notification, in milliseconds. Default 1 000. */
  pollMs?: number;
  /** Records sweeps for operators. */
  loops?: { note(run: { name: string; everyMs: number; tookMs: number; error: unknown }): void };
  /** Continues the traces of the messages. */
  tracer?: Pick<Tracer, 'start'>;
}

/** A loop that runs between `start` and `stop`. */
export interface OutboxRelay {
  start(): void;
  /** Waits for the running batch. */
  stop(): Promise<void>;
}

/** A wait that ends early when woken. A wake between two waits ends the next one immediately. */
function createAlarm() {
  let rung = false;
  let end: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      end?.();
    },
    async wait(ms: number): Promise<void> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        end = null;
      }
      rung = false;
    },
  };
}

/** Relays the outbox of `store` over `bus` until the process stops. */
export function startOutboxRelay(
  context: Pick<OutboxRelayDeps, 'logger' | 'clock' | 'loops' | 'tracer'> & { teardown: Teardown },
  { store, bus, metrics }: { store: { outboxQueue: OutboxQueue } } & Pick<OutboxRelayDeps, 'bus' | 'metrics'>,
): void {
  const { logger, clock, loops, tracer, teardown } = context;
  const { outboxQueue } = store;
  const relay = createOutboxRelay({ outboxQueue, bus, logger, clock, loops, tracer, metrics });
  relay.start();
  teardown.add('outbox relay', relay.stop);
}

/**
 * Sends the messages of the outbox: in batches of 100, when notified of new rows and at least every `pollMs`. It
 * survives outages of the broker (rows become due again after a back-off) and of the database, and several relays may
 * run concurrently. Delivery is at least once: a crash between the broker's confirm and its mark sends a message
 * again.
 */
export function createOutboxRelay(deps: OutboxRelayDeps): OutboxRelay {
  const { outboxQueue, bus, logger, clock, pollMs = 1_000, tracer = noTracer } = deps;
  const alarm = createAlarm();
  let running: Promise<void> | null = null;
  let stopping = false;
  let trouble: string | null = null;

  /** Logs the start and the end of an outage, not every attempt. */
  function report(reason: string | null): void {
    if (reason !== null && trouble === null) logger.warn({ reason }, 'cannot send outbox messages, retrying');
    if (reason === null && trouble !== null) logger.info({}, 'sending of outbox messages resumed');
    trouble = reason;
  }

  /** Messages without a trace start none. */
  function startSpan({ traceparent, type, eventId, attempts }: OutboxRow): Span | undefined {
    if (traceparent === null) return undefined;
    const attributes = {
      'messaging.system': bus.system,
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      'messaging.destination.name': type,
      'messaging.message.id': eventId,
      'vigil.outbox.attempts': attempts,
    };
    return tracer.start(`send ${type}`, { kind: 'producer', parents: [traceparent], attributes });
  }

  function envelopeOf(row: OutboxRow, span: Span | undefined): Envelope {
    return {
      messageId: row.eventId,
      type: row.type,
      body: row.body,
      correlationId: row.requestId ?? null,
      traceparent: span ? formatTraceparent(span.context) : row.traceparent,
      attempt: 0,
      timestamp: new Date(clock.now()).toISOString(),
    };
  }

  async function publish(rows: OutboxRow[]): Promise<(true | string)[]> {
    const spans = rows.map(startSpan);
    const results = await bus
      .publish(rows.map((row, index) => envelopeOf(row, spans[index])))
      .catch((error): (true | string)[] => rows.map(() => messageOf(error)));
    for (const [index, span] of spans.entries()) {
      if (results[index] !== true) span?.fail(results[index]);
      span?.end();
    }
    const failures = results.filter((result) => result !== true);
    deps.metrics?.published(results.length - failures.length);
    deps.metrics?.failed(failures.length);
    report(failures[0] ?? null);
    return results;
  }

  async function drainOnce(): Promise<number> {
    const startedAt = performance.now();
    const note = (error: unknown) =>
      deps.loops?.note({ name: 'outbox sweep', everyMs: pollMs, tookMs: performance.now() - startedAt, error });
    try {
      const taken = await outboxQueue.drain(batchSize, publish);
      note(trouble);
      return taken;
    } catch (error) {
      report(messageOf(error));
      note(error);
      return 0;
    }
  }

  async function run(): Promise<void> {
    const stopListening = await outboxQueue.onAdded(alarm.ring).catch((error) => {
      logger.info({ reason: messageOf(error) }, 'no notifications of new outbox messages; polling only');
      return async () => {};
    });
    while (!stopping) {
      const taken = await drainOnce();
      if (taken < batchSize && !stopping) await alarm.wait(pollMs);
    }
    await stopListening().catch(() => {});
  }

  return {
    start() {
      stopping = false;
      running ??= run();
    },
    async stop() {
      stopping = true;
      alarm.ring();
      await running;
      running = null;
    },
  };
}
