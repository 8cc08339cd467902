import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { type Logger, messageOf } from '#libs/domain';
import type { Consumer, Envelope, Handler } from '../bus.ts';
import type { BusMetrics } from '../bus-metrics.ts';
import type { MessageDefinition } from '../catalogue/message-definition.ts';
import type { DeliveryRules } from '../delivery.ts';
import { type DeliveryEnds, handleDelivery } from '../handle-delivery.ts';
import { createRunningHandlers } from '../running-handlers.ts';
import type { AmqpConnection } from './connection.ts';
import { amqpHeaders, decodeEnvelope } from './envelopes.ts';
import { closeQuietly, endConsumer, type OpenConsumer, openChannel, openConsumer } from './open-channel.ts';
import { createPassOn } from './pass-on.ts';
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
  /** Declares missing exchanges and queues. */
  declare(model: ChannelModel): Promise<void>;
  /** Time after which an unreadable queue is created again, in milliseconds, and the unreadable queues. */
  reading: Pick<QueueOpenerOptions, 'unreadableMs' | 'unreadable'>;
  /** First pause before a failed forwarding is retried, in milliseconds. Doubles each time. */
  retryMs: number;
}

/** Consumes one work queue, now and after every reconnect, until it is stopped. */
export async function consumeWork(
  deps: WorkConsumerDeps,
  definition: MessageDefinition,
  handler: Handler,
  prefetch: number,
): Promise<Consumer> {
  const { connection, names } = deps;
  const logger = deps.logger.child({ queue: names.queue(definition) });
  const running = createRunningHandlers(prefetch, (error) =>
    logger.warn({ error: messageOf(error) }, 'delivery failed'),
  );
  let open: OpenConsumer | null = null;
  const closed = new WeakSet<Channel>();
  const stopping = new AbortController();

  function endsOf(channel: Channel, envelope: Envelope): DeliveryEnds<boolean> {
    const passOn = createPassOn({ ...deps, logger, stop: stopping.signal, isClosed: () => closed.has(channel) });
    return {
      ack: async () => true,
      again({ seconds, counts }, reason) {
        const again = { ...envelope, attempt: envelope.attempt + (counts ? 1 : 0) };
        const headers = { [amqpHeaders.reason]: reason };
        return passOn({ envelope: again, exchange: names.retry, key: names.retryKey(definition, seconds), headers });
      },
      bury(reason) {
        const headers = {
          [amqpHeaders.reason]: reason,
          [amqpHeaders.queue]: names.queue(definition),
          [amqpHeaders.deadAt]: new Date(deps.rules.clock.now()).toISOString(),
        };
        return passOn({ envelope, exchange: names.dead, key: definition.queue, headers });
      },
    };
  }

  async function onMessage(channel: Channel, message: ConsumeMessage): Promise<void> {
    // Deliveries that waited for a free slot while their channel closed are already in the queue again.
    if (closed.has(channel)) return;
    const envelope = decodeEnvelope(message);
    const delivery = { ...deps, definition, handler, logger };
    const done = await handleDelivery(delivery, envelope, endsOf(channel, envelope));
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
    logger.info({}, 'RabbitMQ cancelled the consumer, reopening it');
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
