import { type ChannelModel, connect, type RecoveringChannelModel } from 'amqplib';
import { type Logger, messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import { readTlsFiles } from '#libs/service-kit/env';
import type { BusMetrics } from '../bus-metrics.ts';
import { BusUnavailableError } from '../errors.ts';
import { createBrokerNodes } from './broker-nodes.ts';
import { explainConnectError } from './connect-errors.ts';
import { createSetUps, type Setup } from './set-ups.ts';

/** One connection that reconnects automatically and repeats its setup each time. */
export interface AmqpConnection {
  /**
   * Runs `setup` on the connection now, and again after every reconnect and lost channel, until the returned function
   * is called. While disconnected, it is only stored. A setup without a response is retried, and the caller continues
   * without it. Rejects when the broker refuses the setup.
   */
  attach(setup: Setup): Promise<() => void>;
  /** @throws BusUnavailableError with the reason while disconnected. */
  model(): ChannelModel;
  /** The error that ended this connection. Undefined while it is open, and after a normal end. */
  errorOf(model: ChannelModel): ConnectionError | undefined;
  /**
   * Why the broker currently reads nothing from this connection (it is short of memory or disk). Null when it reads.
   */
  blocked(): string | null;
  /**
   * Closes within the time limit, even when the broker does not respond. A silent connection then ends by its
   * heartbeat.
   */
  close(): Promise<void>;
}

/** An error of a whole connection. `code` is the broker's reply code, such as 541. */
export type ConnectionError = Error & { code?: unknown };

export interface ConnectionOptions {
  url: string;
  /** Further nodes of the cluster as `host:port`. The next one is tried after a lost or failed connection. */
  nodes?: readonly string[];
  logger: Logger;
  /** Name that the broker's tools show. */
  appId: string;
  metrics: Pick<BusMetrics, 'connected'>;
  /** Runs first on every new connection. A failure on the first one is an OperatorError. */
  prepare: (model: ChannelModel) => Promise<void>;
  /** Starts without the broker and retries. Wrong credentials or topology are then only logged. */
  startWithoutBroker: boolean;
  /** Pause before a setup is run again on an open connection, in milliseconds. Default 1,000. */
  retryMs?: number;
  /** Time limit for the broker's confirmation of a close, in milliseconds. Default 10,000. */
  closeTimeoutMs?: number;
}

const connectTimeoutMs = 10_000;
const recoveryDelays = { initialDelay: 200, maxDelay: 30_000, factor: 2, jitter: 0.2 };

/**
 * Connects, and reconnects when needed. @throws OperatorError when the first attempt fails, unless
 * `startWithoutBroker`
 */
export async function createAmqpConnection(options: ConnectionOptions): Promise<AmqpConnection> {
  const { logger, metrics, closeTimeoutMs = 10_000, retryMs = 1000 } = options;
  const nodes = createBrokerNodes(options.url, options.nodes ?? []);
  const { address } = nodes;
  const setUps = createSetUps({ prepare: options.prepare, retryMs, logger, address });
  const tls = readTlsFiles(nodes.url, 'VIGIL_AMQP_URL');
  const errors = new WeakMap<ChannelModel, ConnectionError>();
  let blocked: string | null = null;
  let reason = 'not connected to RabbitMQ yet';

  const recovering = (await connect(nodes.target, {
    ...tls,
    noDelay: true,
    keepAlive: true,
    timeout: connectTimeoutMs,
    clientProperties: { connection_name: options.appId },
    recovery: {
      ...recoveryDelays,
      ...(options.startWithoutBroker ? {} : { initialMaxRetries: 0 }),
      waitForConnect: false,
      setup(model: ChannelModel) {
        // The only listener: one for each consumer would exceed Node's limit with many open consumers.
        model.on('error', (error) => errors.set(model, error));
        return setUps.runAll(model);
      },
    },
  })) as RecoveringChannelModel;
  recovering.on('error', () => undefined);
  recovering.on('connect', () => {
    metrics.connected(true);
    logger.info({ broker: address }, 'connected to RabbitMQ');
  });
  recovering.on('disconnect', (error) => {
    setUps.disconnected();
    blocked = null;
    reason = `the connection to RabbitMQ was lost (${messageOf(error)})`;
    metrics.connected(false);
    nodes.turnToNext();
    logger.info({ broker: address, error: messageOf(error) }, 'connection to RabbitMQ lost, reconnecting');
  });
  recovering.on('connect-failed', (error) => {
    setUps.disconnected();
    reason = explainConnectError(error, nodes.url).message;
    nodes.turnToNext();
    logger.info({ broker: address, error: reason }, 'cannot connect to RabbitMQ yet');
  });
  recovering.on('blocked', (why) => {
    blocked = `RabbitMQ does not accept messages (${why})`;
    logger.warn({ broker: address, why }, 'RabbitMQ does not accept messages');
  });
  recovering.on('unblocked', () => {
    blocked = null;
    logger.info({ broker: address }, 'RabbitMQ accepts messages again');
  });

  if (!options.startWithoutBroker) {
    await recovering.waitForConnect().catch((error) => {
      throw explainConnectError(error, nodes.url);
    });
  }

  return {
    attach: setUps.attach,
    model() {
      const model = setUps.current();
      if (model === null) throw new BusUnavailableError(reason);
      return model;
    },
    errorOf: (model) => errors.get(model),
    blocked: () => blocked,
    async close() {
      reason = 'the bus is closed';
      // The driver never settles a close when the connection is lost during it.
      const model = setUps.current();
      const lost = model === null ? [] : [new Promise((resolve) => model.once('close', resolve))];
      setUps.forget();
      await withTimeLimit<unknown>(Promise.race([recovering.close(), ...lost]), closeTimeoutMs, () => undefined);
      metrics.connected(false);
    },
  };
}
