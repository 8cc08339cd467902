import { type ChannelModel, connect, type Options, type RecoveringChannelModel } from 'amqplib';
import { InvalidInputError, type Logger, messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import { readTlsFiles } from '#libs/service-kit/env';
import type { BusMetrics } from '../bus-metrics.ts';
import { BusUnavailableError } from '../errors.ts';
import { brokerAddress, explainConnectError, parseAmqpUrl } from './connect-errors.ts';

/** One connection that reconnects automatically and repeats its set-up each time. */
export interface AmqpConnection {
  /**
   * Runs `setup` on the connection now, and again after every reconnect and lost channel, until the returned function
   * is called. While disconnected it is only remembered. A set-up without a response is tried again, and the caller
   * continues without it. Rejects when the broker refuses the set-up.
   */
  attach(setup: Setup): Promise<() => void>;
  /** @throws BusUnavailableError with the reason while disconnected. */
  model(): ChannelModel;
  /** The error that ended this connection. Undefined while it lives, and after a normal end. */
  errorOf(model: ChannelModel): ConnectionError | undefined;
  /**
   * Why the broker reads nothing of this connection at the moment (it is short of memory or disk). Null when it does.
   */
  blocked(): string | null;
  /** Closes within the time limit, also when the broker is silent. A silent connection then ends by its heartbeat. */
  close(): Promise<void>;
}

/** An error of a whole connection. `code` is the broker's reply code, such as 541. */
export type ConnectionError = Error & { code?: unknown };

/**
 * Opens the channels of a user of the connection. `lost` is to be called when a channel closes: the set-up is run again
 * after a second when the connection itself still lives.
 */
export type Setup = (model: ChannelModel, lost: () => void) => Promise<void>;

export interface ConnectionOptions {
  url: string;
  /** Further nodes of the cluster as `host:port`. The next one is tried when a connection is lost or cannot be made. */
  nodes?: readonly string[];
  logger: Logger;
  /** Shown by the broker's tools. */
  appId: string;
  metrics: Pick<BusMetrics, 'connected'>;
  /** Runs first on every new connection. Its failure at the first one is an OperatorError. */
  prepare: (model: ChannelModel) => Promise<void>;
  /** Come up without the broker and continue trying. Wrong credentials or topology are then only logged. */
  startWithoutBroker: boolean;
  /** Pause before a set-up is run again on a connection that lives, in milliseconds. Default 1,000. */
  retryMs?: number;
  /** Longest wait for the broker's consent to a close, in milliseconds. Default 10,000. */
  closeTimeoutMs?: number;
}

const heartbeatSeconds = 30;
const connectTimeoutMs = 10_000;
/** A broker that is there declares queues within a second, unless the machine is very busy. */
const prepareLimitMs = 120_000;
const recoveryDelays = { initialDelay: 200, maxDelay: 30_000, factor: 2, jitter: 0.2 };

/**
 * Connects, and continues connecting. @throws OperatorError when that fails the first time, unless `startWithoutBroker`
 */
export async function createAmqpConnection(options: ConnectionOptions): Promise<AmqpConnection> {
  const { logger, metrics, closeTimeoutMs = 10_000 } = options;
  const urls = amqpUrlsOf(options.url, options.nodes ?? []).map((text) => new URL(text));
  const url = parseAmqpUrl(options.url);
  const address = urls.map(brokerAddress).join(', ');
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', String(heartbeatSeconds));
  const target = connectTarget(url);
  const tls = readTlsFiles(url, 'VIGIL_AMQP_URL');
  let tried = 0;

  function turnToNextNode(): void {
    tried += 1;
    const next = urls[tried % urls.length] ?? url;
    Object.assign(target, addressOf(next));
  }

  const setups = new Set<Setup>();
  const errors = new WeakMap<ChannelModel, ConnectionError>();
  let current: ChannelModel | null = null;
  let blocked: string | null = null;
  let reason = 'not connected to RabbitMQ yet';

  function prepare(model: ChannelModel): Promise<void> {
    return withTimeLimit(options.prepare(model), prepareLimitMs, () => {
      throw new BusUnavailableError(`RabbitMQ did not declare the queues within ${prepareLimitMs} ms`);
    });
  }

  async function setUp(model: ChannelModel): Promise<void> {
    // The only listener: one for each consumer would exceed Node's limit when many open at once.
    model.on('error', (error) => errors.set(model, error));
    let isLost = false;
    model.once('close', () => {
      isLost = true;
    });
    await prepare(model);
    const unanswered = new Map<Setup, unknown>();
    // A set that grows while it is iterated is visited to its end, so set-ups attached during the loop are included.
    for (const setup of setups) {
      await run(model, setup).catch((error) => {
        if (!(error instanceof BusUnavailableError)) throw error;
        unanswered.set(setup, error);
      });
    }
    // amqplib listens from here on: of a loss that came with the last response it would never hear, and not connect
    // again.
    if (isLost) throw new BusUnavailableError('the connection to RabbitMQ was lost while it was set up');
    current = model;
    // One unreadable queue does not block the others.
    for (const [setup, error] of unanswered) tryOn(model, setup, error);
  }

  async function run(model: ChannelModel, setup: Setup): Promise<void> {
    let ready = false;
    let lost = false;
    await setup(model, () => {
      lost = true;
      if (ready) rerunLater(model, setup);
    });
    ready = true;
    if (lost) rerunLater(model, setup);
  }

  /** Another client deleted a queue or an exchange, or a handler took too long: the broker closed one channel. */
  function rerunLater(model: ChannelModel, setup: Setup): void {
    const timer = setTimeout(() => {
      if (current !== model || !setups.has(setup)) return;
      prepare(model)
        .then(() => run(model, setup))
        .catch((error) => tryOn(model, setup, error));
    }, options.retryMs ?? 1000);
    timer.unref();
  }

  function tryOn(model: ChannelModel, setup: Setup, error: unknown): void {
    logger.info({ broker: address, error: messageOf(error) }, 'a channel could not be opened, trying on');
    rerunLater(model, setup);
  }

  const recovering = (await connect(target, {
    ...tls,
    noDelay: true,
    keepAlive: true,
    timeout: connectTimeoutMs,
    clientProperties: { connection_name: options.appId },
    recovery: {
      ...recoveryDelays,
      ...(options.startWithoutBroker ? {} : { initialMaxRetries: 0 }),
      waitForConnect: false,
      setup: (model: ChannelModel) => setUp(model),
    },
  })) as RecoveringChannelModel;
  recovering.on('error', () => undefined);
  recovering.on('connect', () => {
    metrics.connected(true);
    logger.info({ broker: address }, 'connected to RabbitMQ');
  });
  recovering.on('disconnect', (error) => {
    current = null;
    blocked = null;
    reason = `the connection to RabbitMQ was lost (${messageOf(error)})`;
    metrics.connected(false);
    turnToNextNode();
    logger.info({ broker: address, error: messageOf(error) }, 'connection to RabbitMQ lost, reconnecting');
  });
  recovering.on('connect-failed', (error) => {
    current = null;
    reason = explainConnectError(error, url).message;
    turnToNextNode();
    logger.info({ broker: address, error: reason }, 'cannot connect to RabbitMQ yet');
  });
  recovering.on('blocked', (why) => {
    blocked = `RabbitMQ takes no messages at the moment (${why})`;
    logger.warn({ broker: address, why }, 'RabbitMQ takes no messages at the moment');
  });
  recovering.on('unblocked', () => {
    blocked = null;
    logger.info({ broker: address }, 'RabbitMQ takes messages again');
  });

  if (!options.startWithoutBroker) {
    await recovering.waitForConnect().catch((error) => {
      throw explainConnectError(error, url);
    });
  }

  return {
    async attach(setup) {
      setups.add(setup);
      const model = current;
      if (model !== null) {
        await run(model, setup).catch((error) => {
          // When the connection is lost, the set-up runs again on the next one.
          if (current !== model) return;
          if (error instanceof BusUnavailableError) {
            tryOn(model, setup, error);
            return;
          }
          setups.delete(setup);
          throw error;
        });
      }
      return () => setups.delete(setup);
    },
    model() {
      if (current === null) throw new BusUnavailableError(reason);
      return current;
    },
    errorOf: (model) => errors.get(model),
    blocked: () => blocked,
    async close() {
      reason = 'the bus is closed';
      // The driver never settles a close during which the connection is lost.
      const model = current;
      const lost = model === null ? [] : [new Promise((resolve) => model.once('close', resolve))];
      current = null;
      setups.clear();
      await withTimeLimit<unknown>(Promise.race([recovering.close(), ...lost]), closeTimeoutMs, () => undefined);
      metrics.connected(false);
    },
  };
}

/**
 * One URL for every node of a cluster: that of the first with the addresses of the others, given as `host:port` or
 * `host`. Addresses that occur twice are taken once.
 * @throws InvalidInputError when an address is none
 */
export function amqpUrlsOf(url: string, nodes: readonly string[]): string[] {
  const first = parseAmqpUrl(url);
  const others = nodes.map((address) => {
    const node = new URL(first);
    node.port = '';
    node.host = address;
    if (address === '' || !`${address}:`.startsWith(`${node.host}:`) || /[/@?#]/.test(address)) {
      throw new InvalidInputError('VIGIL_AMQP_NODES', `"${address}" must have the form host:port`);
    }
    return node;
  });
  const byHost = new Map([first, ...others].map((node) => [node.host, node.toString()]));
  return [...byHost.values()];
}

/** The form of an AMQP URL whose address may be exchanged between two connections. */
function connectTarget(url: URL): Options.Connect {
  const number = (name: string) => {
    const text = url.searchParams.get(name);
    return text === null ? undefined : Number(text);
  };
  const isNamed = url.username !== '' || url.password !== '';
  return {
    protocol: url.protocol.replace(':', ''),
    ...addressOf(url),
    ...(isNamed ? { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) } : {}),
    vhost: url.pathname.slice(1),
    heartbeat: number('heartbeat'),
    channelMax: number('channelMax'),
    frameMax: number('frameMax'),
  };
}

/** Host and port of a node. */
function addressOf(url: URL): { hostname: string; port: number | undefined } {
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? undefined : Number(url.port) };
}
