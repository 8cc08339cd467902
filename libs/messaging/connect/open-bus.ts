import type { Logger } from '#libs/domain';
import type { Metrics, Teardown } from '#libs/service-kit';
import type { MessageBus } from '../bus.ts';
import { createMessageBus } from './create-message-bus.ts';

/** The parts of a process that the bus needs. */
interface BusContext {
  env: { VIGIL_AMQP_URL?: string; VIGIL_AMQP_PREFIX: string; VIGIL_AMQP_NODES: string[] };
  logger: Logger;
  metrics: Metrics;
  teardown: Teardown;
  instanceId: string;
}

/** Settings of the bus in addition to the configuration of the process. */
export interface OpenBusOptions {
  databaseUrl: string;
  /** Further nodes of RabbitMQ's cluster, as `host:port`. Default those of VIGIL_AMQP_NODES. */
  amqpNodes?: readonly string[];
}

/**
 * Opens the bus as a part of a process, which closes it at its end. Does not wait for RabbitMQ, which only reduces
 * delays: a process without it reads its work from the database.
 * @throws OperatorError as `createMessageBus`
 */
export async function openBus(context: BusContext, options: OpenBusOptions): Promise<MessageBus> {
  const { env, logger, metrics, teardown, instanceId } = context;
  const { databaseUrl, amqpNodes = env.VIGIL_AMQP_NODES } = options;
  return teardown.start('bus', () =>
    createMessageBus({
      amqpUrl: env.VIGIL_AMQP_URL,
      amqpNodes,
      databaseUrl,
      logger,
      prefix: env.VIGIL_AMQP_PREFIX,
      appId: instanceId,
      metrics,
      startWithoutBroker: true,
    }),
  );
}
