import type { Channel, ChannelModel } from 'amqplib';
import { type JsonObject, type Logger, messageOf } from '#libs/domain';
import type { Consumer } from '../bus.ts';
import { createBusMetrics } from '../bus-metrics.ts';
import { createAmqpConnection } from './connection.ts';
import { decodeBody } from './envelopes.ts';
import { closeQuietly, openChannel } from './open-channel.ts';

/** Source of notifications of other services. */
export interface NotificationSourceOptions {
  /** Broker of the service that sends notifications. */
  url: string;
  logger: Logger;
  appId: string;
  /** `<exchange>.<topic>`, such as `nova.versioned_notifications`. Only messages with priority `info` are received. */
  topics: readonly string[];
  /** A notification without its oslo envelope. */
  onNotification(message: JsonObject): void;
  /** Messages arrive from now on. Earlier ones, and those since the last connection was lost, were missed. */
  onSubscribed(): void;
  /** The connection is lost. */
  onLost(): void;
}

/**
 * Receives the notifications of an OpenStack service on a separate connection, with a separate queue that exists while
 * the connection lives, so other listeners lose none. Starts even while the broker is unavailable.
 */
export async function consumeNotifications(options: NotificationSourceOptions): Promise<Consumer> {
  const { logger, topics } = options;
  const connection = await createAmqpConnection({
    url: options.url,
    logger,
    appId: `${options.appId}-notifications`,
    metrics: createBusMetrics(undefined),
    startWithoutBroker: true,
    async prepare(model) {
      for (const topic of topics) await ensureExchange(model, splitTopic(topic).exchange);
    },
  });
  let open: Channel | null = null;

  const detach = await connection.attach(async (model, lost) => {
    const channel = await openChannel(model);
    channel.on('close', () => {
      options.onLost();
      lost();
    });
    const { queue } = await channel.assertQueue('', { exclusive: true, durable: false, autoDelete: true });
    for (const topic of topics) {
      const { exchange, name } = splitTopic(topic);
      await channel.bindQueue(queue, exchange, `${name}.info`);
    }
    await channel.consume(
      queue,
      (message) => (message === null ? void closeQuietly(channel) : receive(message.content)),
      { noAck: true },
    );
    open = channel;
    options.onSubscribed();
  });

  function receive(content: Buffer): void {
    try {
      const body = withoutEnvelope(content);
      if (body !== null) options.onNotification(body);
    } catch (error) {
      logger.warn({ error: messageOf(error) }, 'cannot handle notification');
    }
  }

  return {
    async stop() {
      detach();
      if (open !== null) await closeQuietly(open);
      await connection.close();
    },
  };
}

function splitTopic(topic: string): { exchange: string; name: string } {
  const at = topic.indexOf('.');
  return at < 0 ? { exchange: topic, name: topic } : { exchange: topic.slice(0, at), name: topic.slice(at + 1) };
}

/**
 * The sender declares its exchange with its own configuration. Before that, this side declares oslo.messaging's
 * default.
 */
async function ensureExchange(model: ChannelModel, exchange: string): Promise<void> {
  const probe = await openChannel(model);
  try {
    await probe.checkExchange(exchange);
    await probe.close();
  } catch {
    const channel = await openChannel(model);
    await channel.assertExchange(exchange, 'topic', { durable: false, autoDelete: false });
    await channel.close();
  }
}

/** oslo.messaging stores the message as text in `oslo.message`. */
function withoutEnvelope(content: Buffer): JsonObject | null {
  const outer = decodeBody(content);
  const inner = outer?.['oslo.message'];
  return typeof inner === 'string' ? decodeBody(Buffer.from(inner)) : outer;
}
