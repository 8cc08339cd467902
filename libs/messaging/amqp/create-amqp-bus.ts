import type { ChannelModel } from 'amqplib';
import { type Clock, type IdSource, type Logger, messageOf } from '#libs/domain';
import { type Metrics, newUuid, systemClock, withTimeLimit } from '#libs/service-kit';
import type { Envelope, MessageBus } from '../bus.ts';
import { type BusMetrics, createBusMetrics } from '../bus-metrics.ts';
import { messageCatalogue } from '../catalogue/catalogue.ts';
import type { MessageDefinition } from '../catalogue/message-definition.ts';
import { defaultNewerVersionMs } from '../delivery.ts';
import { BusUnavailableError } from '../errors.ts';
import { createMessageChecker } from '../validate.ts';
import { subscribeTo } from './broadcasts.ts';
import { type AmqpConnection, createAmqpConnection } from './connection.ts';
import { createDeadLetters } from './dead-letters.ts';
import { encodeEnvelope } from './envelopes.ts';
import { closeQuietly, openChannel } from './open-channel.ts';
import { createPublisher } from './publisher.ts';
import { createRequester, respondTo } from './requests.ts';
import { amqpNames, declareTopology } from './topology.ts';
import { consumeWork } from './work-consumer.ts';

const probeTimeoutMs = 5000;

/** Collaborators and settings of the bus on RabbitMQ. */
export interface AmqpBusOptions {
  /** `amqp://user:password@host:5672/vhost` or `amqps://…`. `?heartbeat=` overrides the 30 s. */
  url: string;
  logger: Logger;
  /** Further nodes of the cluster, as `host:port`. Default none. */
  nodes?: readonly string[];
  /** Prefix of all exchange and queue names. Default `vigil`. */
  prefix?: string;
  /** AMQP's `app_id`: the process that sent a message. */
  appId: string;
  metrics?: Metrics;
  /** Starts while the broker is unavailable and connects later. Default false. */
  startWithoutBroker?: boolean;
  /** Time limit for a confirm, and for the broker's confirmation of a close, in milliseconds. Default 10,000. */
  publishTimeoutMs?: number;
  /**
   * Time for which messages of unknown versions are requeued for newer processes, in milliseconds. Default 900,000.
   */
  newerVersionMs?: number;
  /**
   * Time after which a queue that RabbitMQ cannot read is deleted and declared again, in milliseconds. Default 30,000.
   */
  unreadableMs?: number;
  /**
   * Pause before a lost channel is opened again, and before a failed forwarding of a message is retried, in
   * milliseconds. The latter doubles up to a minute. Default 1,000.
   */
  retryMs?: number;
  /** Message types. Default: the whole catalogue. */
  catalogue?: readonly MessageDefinition[];
  clock?: Clock;
  newId?: IdSource;
}

/**
 * The message bus on RabbitMQ 3.10 or newer: durable quorum queues, publisher confirms, and connections that reconnect
 * automatically with all their consumers. One connection publishes and another consumes: a broker that is short of
 * memory or disk stops reading from publishing connections, but must still receive acknowledgements. `close` does not
 * wait for handlers. Stop the consumers first.
 * @throws OperatorError when the broker is unreachable, refuses the user, or has queues with other properties.
 * @throws InvalidInputError when `url` is not an AMQP URL.
 */
export async function createAmqpBus(options: AmqpBusOptions): Promise<MessageBus> {
  const { appId, clock = systemClock, newId = newUuid, catalogue = messageCatalogue, retryMs = 1000 } = options;
  const reading = { unreadableMs: options.unreadableMs ?? 30_000, unreadable: new Set<string>() };
  const logger = options.logger.child({ bus: 'amqp' });
  const names = amqpNames(options.prefix ?? 'vigil');
  const checker = createMessageChecker(catalogue);
  const rules = { checker, clock, newerVersionMs: options.newerVersionMs ?? defaultNewerVersionMs };
  const metrics = createBusMetrics(options.metrics);
  const prepare = (model: ChannelModel): Promise<void> => declareTopology(model, names, catalogue);
  const connectedParts = countConnected(metrics);
  const connect = (part: string) =>
    createAmqpConnection({
      url: options.url,
      nodes: options.nodes,
      logger: logger.child({ connection: part }),
      appId: `${appId} (${part})`,
      metrics: connectedParts(part),
      prepare,
      startWithoutBroker: options.startWithoutBroker ?? false,
      retryMs,
      closeTimeoutMs: options.publishTimeoutMs,
    });
  const publishing = await connect('publishing');
  const consuming = await connect('consuming').catch(async (error) => {
    await publishing.close();
    throw error;
  });
  const publisher = await createPublisher(publishing, logger, { timeoutMs: options.publishTimeoutMs ?? 10_000 });
  const requester = await createRequester(publishing, names, newId);

  async function publishOne(envelope: Envelope): Promise<true | string> {
    const problem = checker.findProblem(envelope.type, envelope.body);
    const { content, options: properties } = encodeEnvelope(envelope, appId);
    const result = problem ?? (await publisher.send(names.work, envelope.type, content, properties));
    metrics.published(envelope.type, result);
    return result;
  }

  const deadLetters = createDeadLetters({
    connection: consuming,
    names,
    clock,
    findProblem: ({ type, body }) => checker.findProblem(type, body),
    send: publishOne,
  });

  return {
    system: 'rabbitmq',
    publish: (envelopes) => Promise.all(envelopes.map(publishOne)),
    consume: async (type, handler, { prefetch }) =>
      consumeWork(
        { connection: consuming, publisher, rules, names, appId, logger, metrics, declare: prepare, reading, retryMs },
        checker.definition(type),
        handler,
        prefetch,
      ),
    request: requester.request,
    respond: (topic, handler) =>
      respondTo({ connection: consuming, publisher, names, logger, reading }, topic, handler),
    async broadcast(topic, body) {
      publishing.model();
      const content = Buffer.from(JSON.stringify(body));
      const properties = { appId, contentType: 'application/json', mandatory: false };
      const result = await publisher.send(names.events, topic, content, properties);
      if (result !== true) throw new BusUnavailableError(result);
    },
    subscribe: (topic, handler) => subscribeTo(consuming, names, logger, topic, handler),
    async probe() {
      consuming.model();
      if (reading.unreadable.size > 0)
        throw new BusUnavailableError(`RabbitMQ cannot read ${[...reading.unreadable].join(', ')}`);
      await probeBroker(publishing, newId);
    },
    ...deadLetters,
    async close() {
      await Promise.all([publishing.close(), consuming.close()]);
    },
  };
}

/** The bus is connected when all its connections are. */
function countConnected(metrics: BusMetrics): (part: string) => Pick<BusMetrics, 'connected'> {
  const parts = new Map<string, boolean>();
  return (part) => ({
    connected(up) {
      parts.set(part, up);
      metrics.connected([...parts.values()].every(Boolean));
    },
  });
}

/** Sends a nonce through its own queue. @throws BusUnavailableError with the reason when it does not arrive. */
async function probeBroker(connection: AmqpConnection, newId: IdSource): Promise<void> {
  const late = (): never => {
    throw new BusUnavailableError(`RabbitMQ did not bring a test message back within ${probeTimeoutMs} ms`);
  };
  await withTimeLimit(roundTrip(connection, newId()), probeTimeoutMs, late).catch((error) => {
    throw error instanceof BusUnavailableError ? error : new BusUnavailableError(messageOf(error), { cause: error });
  });
}

async function roundTrip(connection: AmqpConnection, nonce: string): Promise<void> {
  const channel = await openChannel(connection.model());
  try {
    const { queue } = await channel.assertQueue('', { exclusive: true, durable: false, autoDelete: true });
    await new Promise<void>((resolve, reject) => {
      channel.on('close', () => reject(new BusUnavailableError('the channel was closed during the probe')));
      channel
        .consume(queue, (message) => message?.content.toString() === nonce && resolve(), { noAck: true })
        .then(() => channel.sendToQueue(queue, Buffer.from(nonce)))
        .catch(reject);
    });
  } finally {
    await closeQuietly(channel);
  }
}
