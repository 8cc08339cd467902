import pg from 'pg';
import { type Logger, messageOf } from '#libs/domain';
import type { BusMetrics } from '../bus-metrics.ts';
import { BusUnavailableError } from '../errors.ts';
import { databaseAddress, explainConnectError } from './connect-errors.ts';

/** What a notification says; the body of a note is in the table. */
export interface Notification {
  kind: 'work' | 'request' | 'reply' | 'broadcast' | 'probe';
  /** Queue, topic, receiving bus, or nonce, as the kind demands. */
  name: string;
  /** Row of `bus_notes`. */
  id?: number;
}

/** The one connection that listens; it comes back by itself. */
export interface Listener {
  /** Calls for every notification of the kind until the answered function is called. */
  on(kind: Notification['kind'], handler: (notification: Notification) => void): () => void;
  /** Runs `setup` on the connection now and after every reconnect, until the answered function is called. */
  attach(setup: (client: pg.Client) => Promise<void>): Promise<() => void>;
  /** The live connection. @throws BusUnavailableError while there is none. */
  client(): pg.Client;
  close(): Promise<void>;
}

export interface ListenerOptions {
  url: URL;
  channel: string;
  appId: string;
  logger: Logger;
  metrics: BusMetrics;
}

const connectTimeoutMs = 5000;
const queryTimeoutMs = 10_000;
/** A connection that died without a word is noticed within this time. */
const pingIntervalMs = 15_000;
const firstReconnectDelayMs = 100;
const maxReconnectDelayMs = 5000;

/** @throws OperatorError when the first connection does not come about. */
export async function createListener(options: ListenerOptions): Promise<Listener> {
  const { logger, metrics } = options;
  const address = databaseAddress(options.url);
  const handlers = new Map<string, Set<(notification: Notification) => void>>();
  const setups = new Set<(client: pg.Client) => Promise<void>>();
  let current: pg.Client | null = null;
  let closed = false;
  let reason = 'not connected';
  let timer: NodeJS.Timeout | undefined;

  function dispatch(payload: string | undefined): void {
    const notification = JSON.parse(payload ?? '{}') as Notification;
    for (const handler of handlers.get(notification.kind) ?? []) handler(notification);
  }

  async function open(): Promise<void> {
    const client = new pg.Client({
      connectionString: options.url.toString(),
      application_name: options.appId.slice(0, 63),
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
    });
    client.on('error', (error) => {
      reason = messageOf(error);
    });
    client.on('notification', ({ payload }) => dispatch(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${pg.escapeIdentifier(options.channel)}`);
      // A set that grows while it is iterated is visited to its end, so nothing attached meanwhile is missed.
      for (const setup of setups) await setup(client);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    client.once('end', () => onLost(client));
    current = client;
    metrics.connected(true);
  }

  function onLost(client: pg.Client): void {
    if (current !== client) return;
    current = null;
    metrics.connected(false);
    if (closed) return;
    logger.warn({ database: address, error: reason }, 'connection for notifications lost, reconnecting');
    reconnect(firstReconnectDelayMs);
  }

  function reconnect(delayMs: number): void {
    timer = setTimeout(() => {
      open().then(
        () => logger.info({ database: address }, 'notifications arrive again'),
        (error) => {
          reason = messageOf(error);
          if (!closed) reconnect(Math.min(delayMs * 2, maxReconnectDelayMs));
        },
      );
    }, delayMs);
  }

  const ping = setInterval(() => {
    const client = current;
    client?.query('SELECT 1').catch((error) => {
      reason = messageOf(error);
      client.end().catch(() => undefined);
      onLost(client);
    });
  }, pingIntervalMs);
  ping.unref();

  await open().catch((error) => {
    clearInterval(ping);
    throw explainConnectError(error, options.url);
  });

  return {
    on(kind, handler) {
      const set = handlers.get(kind) ?? new Set();
      handlers.set(kind, set.add(handler));
      return () => set.delete(handler);
    },
    async attach(setup) {
      setups.add(setup);
      const client = current;
      if (client !== null) {
        await setup(client).catch((error) => {
          if (current !== client) return;
          setups.delete(setup);
          throw error;
        });
      }
      return () => setups.delete(setup);
    },
    client() {
      if (current === null) throw new BusUnavailableError(closed ? 'the bus is closed' : reason);
      return current;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(ping);
      const client = current;
      current = null;
      await client?.end().catch(() => undefined);
      metrics.connected(false);
    },
  };
}
