import type { Logger } from '#libs/domain';
import { createBusMetrics } from '../bus-metrics.ts';
import { createAmqpConnection } from './connection.ts';
import { openChannel } from './open-channel.ts';
import { createPublisher } from './publisher.ts';

/** Destination of notifications. */
export interface NotificationExchangeOptions {
  /** URL as for the message bus. */
  url: string;
  /** Further nodes of its cluster, as `host:port`. Default none. */
  nodes?: readonly string[];
  logger: Logger;
  appId: string;
  /** Default `watcher`. */
  exchange?: string;
  /** Must equal the declaration of the consumers. Default false, the default of oslo.messaging. */
  durable?: boolean;
  /** Time limit for a confirm, in milliseconds. Default 10,000. */
  publishTimeoutMs?: number;
}

/** Topic exchange for notifications to external consumers. */
export interface NotificationExchange {
  /** Resolves with true when the broker has confirmed (even without a bound queue), otherwise with the reason. */
  send(message: { messageId: string; routingKey: string; content: Buffer }): Promise<true | string>;
  close(): Promise<void>;
}

/** Uses a separate connection. Starts even while the broker is unavailable. */
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
