import type { Logger } from '#libs/domain';
import { createBusMetrics } from '../bus-metrics.ts';
import { createAmqpConnection } from './connection.ts';
import { openChannel } from './open-channel.ts';
import { createPublisher } from './publisher.ts';

/** Where notifications go to. */
export interface NotificationExchangeOptions {
  /** As of the message bus. */
  url: string;
  /** Further nodes of its cluster, as `host:port`. Default none. */
  nodes?: readonly string[];
  logger: Logger;
  appId: string;
  /** Default `watcher`. */
  exchange?: string;
  /** Must equal the declaration of the consumers. Default false, as oslo.messaging's. */
  durable?: boolean;
  /** Wait for a confirm at most, in milliseconds. Default 10,000. */
  publishTimeoutMs?: number;
}

/** Topic exchange for notifications to others. */
export interface NotificationExchange {
  /** Resolves with true when the broker has confirmed (also when no queue is bound), otherwise with the reason. */
  send(message: { messageId: string; routingKey: string; content: Buffer }): Promise<true | string>;
  close(): Promise<void>;
}

/** Starts even while the broker is unavailable, on its own connection. */
export async function createNotificationExchange(options: NotificationExchangeOptions): Promise<NotificationExchange> {
  const { url, appId, exchange = 'watcher', durable = false } = options;
  const logger = options.logger.child({ exchange });
  const connection = await createAmqpConnection({
    url,
    nodes: options.nodes,
    logger,
    appId: `${appId}-notifications`,
    metrics: createBusMetrics(undefined),
    startWithoutBroker: true,
    async prepare(model) {
      const channel = await openChannel(model);
      await channel.assertExchange(exchange, 'topic', { durable, autoDelete: false });
      await channel.close();
    },
  });
  const publisher = await createPublisher(connection, logger, { timeoutMs: options.publishTimeoutMs ?? 10_000 });
  return {
    send: ({ messageId, routingKey, content }) =>
      publisher.send(exchange, routingKey, content, {
        messageId,
        contentType: 'application/json',
        contentEncoding: 'utf-8',
        persistent: durable,
        mandatory: false,
      }),
    close: () => connection.close(),
  };
}
