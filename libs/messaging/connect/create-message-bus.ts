import type { Logger } from '#libs/domain';
import type { Metrics } from '#libs/service-kit';
import { createAmqpBus } from '../amqp/index.ts';
import type { MessageBus } from '../bus.ts';
import { createPostgresBus } from '../postgres/index.ts';

/** Settings of the bus. */
export interface MessageBusOptions {
  /** Value of VIGIL_AMQP_URL. Without it the bus uses the database. */
  amqpUrl?: string;
  /** Further nodes of its cluster, as `host:port`. Default none. */
  amqpNodes?: readonly string[];
  databaseUrl: string;
  logger: Logger;
  /** Prefix of queue names. Default `vigil`. */
  prefix?: string;
  /** The sending process: its id in the registry. */
  appId: string;
  metrics?: Metrics;
  /** Starts while RabbitMQ is unavailable and connects later. Default false. Ignored without `amqpUrl`. */
  startWithoutBroker?: boolean;
}

/**
 * The configured bus: RabbitMQ when it has a URL, otherwise Postgres.
 * @throws OperatorError with the remedy when the broker or the database is unusable.
 */
export function createMessageBus(options: MessageBusOptions): Promise<MessageBus> {
  const { amqpUrl, amqpNodes, databaseUrl, startWithoutBroker, ...common } = options;
  if (amqpUrl) return createAmqpBus({ ...common, url: amqpUrl, nodes: amqpNodes, startWithoutBroker });
  return createPostgresBus({ ...common, url: databaseUrl });
}
