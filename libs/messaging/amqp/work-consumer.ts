import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { type Logger, messageOf } from '#libs/domain';
import type { Consumer, Envelope, Handler } from '../bus.ts';
import type { BusMetrics } from '../bus-metrics.ts';
import type { MessageDefinition } from '../catalogue/message-definition.ts';
import { type Decision, type DeliveryRules, deliver, retryDelaySeconds } from '../delivery.ts';
import { createRunningHandlers } from '../running-handlers.ts';
import type { AmqpConnection } from './connection.ts';
import { amqpHeaders, decodeEnvelope, encodeEnvelope } from './envelopes.ts';
import { closeQuietly, endConsumer, type OpenConsumer, openChannel, openConsumer } from './open-channel.ts';
import type { Publisher } from './publisher.ts';
import type { AmqpNames } from './topology.ts';
import { createQueueOpener, type QueueOpenerOptions } from './unreadable-queue.ts';

export interface WorkConsumerDeps {
  connection: AmqpConnection;
  publisher: Publisher;
  rules: DeliveryRules;
  names: AmqpNames;
  appId: string;
  logger: Logger;
  metrics: BusMetrics;
  /** Declares exchanges and queues that are missing. */
  declare(model: ChannelModel): Promise<void>;
  /** How long a queue may be unreadable until it is made anew, in milliseconds, and those that are. */
  reading: Pick<QueueOpenerOptions, 'unreadableMs' | 'unreadable'>;
  /** First pause before a message that cannot be passed on is sent again, in milliseconds. Doubles each time. */
  retryMs: number;
}

/** Longest pause before a message that cannot be passed on is sent again, in milliseconds. */
const longestPauseMs = 60_000;

/** Where a message goes that was not acknowledged. */
interface Destination {
  envelope: Envelope;
  exchange: string;
  key: string;
  headers: Record<string, string>;
}

/** Consumes one work queue, now and after every reconnect, until it is stopped. */
export async function consumeWork(
  deps: WorkConsumerDeps,
  definition: MessageDefinition,
  handler: Handler,
  prefetch: number,
): Promise<Consumer> {
  const { connection, publisher, names, metrics } = deps;
  const logger = deps.logger.child({ queue: names.queue(definition) });
  const running = createRunningHandlers(prefetch, (error) =>
    logger.warn({ error: messageOf(error) }, 'a delivery failed'),
  );
  let open: OpenConsumer | null = null;
  const closed = new WeakSet<Channel>();
  const stopping = new AbortController();

  /**
   * Passes the message on to another exchange. Returns whether the broker has it. While that fails the message is kept:
   * giving it back would count as a delivery, and it would be worked on again. Each failure is logged with its reason,
   * such as a queue that has lost its members, until an operator has mended it.
   */
  async function passOn(channel: Channel, to: Destination): Promise<boolean> {
    const { content, options } = encodeEnvelope(to.envelope, deps.appId, to.headers);
    const fields = { messageId: to.envelope.messageId, exchange: to.exchange };
    for (let [tries, pauseMs] = [1, deps.retryMs]; ; tries += 1) {
      const result = await publisher.send(to.exchange, to.key, content, options);
      if (result === true) return true;
      if (stopping.signal.aborted || closed.has(channel)) return false;
      const seconds = pauseMs / 1000;
      logger.warn({ ...fields, error: result, tries, seconds }, 'a message could not be passed on, trying on');
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    }
  }

  async function carryOut(channel: Channel, verdict: Decision, envelope: Envelope): Promise<boolean> {
    const fields = { messageId: envelope.messageId, type: envelope.type, attempt: envelope.attempt };
    if (verdict.kind === 'ack') return true;
    if (verdict.kind === 'leave' || verdict.kind === 'retry') {
      const counts = verdict.kind === 'retry';
      const seconds = retryDelaySeconds(definition, counts ? envelope.attempt : 0);
      logger.info({ ...fields, reason: verdict.reason, seconds }, 'a message will be delivered again');
      const again = { ...envelope, attempt: envelope.attempt + (counts ? 1 : 0) };
      const headers = { [amqpHeaders.reason]: verdict.reason };
      const key = names.retryKey(definition, seconds);
      return passOn(channel, { envelope: again, exchange: names.retry, key, headers });
    }
    logger.warn({ ...fields, reason: verdict.reason }, 'a message goes to the dead letters');
    const headers = {
      [amqpHeaders.reason]: verdict.reason,
      [amqpHeaders.queue]: names.queue(definition),
      [amqpHeaders.deadAt]: new Date(deps.rules.clock.now()).toISOString(),
    };
    return passOn(channel, { envelope, exchange: names.dead, key: definition.queue, headers });
  }

  async function onMessage(channel: Channel, message: ConsumeMessage): Promise<void> {
    // Deliveries that waited for a free place while their channel closed are back in the queue already.
    if (closed.has(channel)) return;
    const envelope = decodeEnvelope(message);
    const startedAt = performance.now();
    const verdict = await deliver(deps.rules, definition, handler, envelope);
    metrics.handled(definition.type, verdict, startedAt);
    const done = await carryOut(channel, verdict, envelope);
    try {
      if (done) channel.ack(message);
      else channel.nack(message, false, true);
    } catch (error) {
      logger.info(
        { messageId: envelope.messageId, error: messageOf(error) },
        'channel closed before the acknowledgement',
      );
    }
  }

  function onCancel(channel: Channel): Promise<void> {
    logger.info({}, 'RabbitMQ cancelled the consumer, opening it again');
    return closeQuietly(channel);
  }

  const opener = createQueueOpener({
    queue: names.queue(definition),
    declare: deps.declare,
    connection,
    logger,
    ...deps.reading,
  });
  const detach = await connection.attach(async (model, lost) => {
    const channel = await openChannel(model);
    channel.on('close', () => {
      closed.add(channel);
      if (open?.channel === channel) open = null;
      lost();
    });
    await channel.prefetch(prefetch);
    open = await openConsumer(channel, () =>
      opener.open(model, () =>
        channel.consume(names.queue(definition), (message) =>
          running.run(() => (message === null ? onCancel(channel) : onMessage(channel, message))),
        ),
      ),
    );
  });

  return {
    async stop() {
      detach();
      opener.forget();
      stopping.abort();
      // Deliveries from before the end of the consumer are still handled: returning one would count as a delivery.
      await endConsumer(open, running.idle);
    },
  };
}
