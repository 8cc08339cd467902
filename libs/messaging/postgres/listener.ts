import pg from 'pg';
import { doublingPause, InvalidInputError, type Logger, messageOf, OperatorError } from '#libs/domain';
import { connectClient, describePostgresUrl, postgresUrlsOf } from '#libs/postgres';
import type { BusMetrics } from '../bus-metrics.ts';
import { BusUnavailableError } from '../errors.ts';
import { createSetupList } from '../setup-list.ts';

/** Content of a notification. The body of a note is in the table. */
export interface Notification {
  kind: 'work' | 'request' | 'reply' | 'broadcast' | 'probe';
  /** Queue, topic, receiving bus, or nonce, depending on the kind. */
  name: string;
  /** Row of `bus_notes`. */
  id?: number;
}

/** The single listening connection. It reconnects automatically. */
export interface Listener {
  /** Calls for every notification of the kind until the returned function is called. */
  on(kind: Notification['kind'], handler: (notification: Notification) => void): () => void;
  /** Runs `setup` on the connection now and after every reconnect, until the returned function is called. */
  attach(setup: (query: ListenerQuery) => Promise<void>): Promise<() => void>;
  /** Runs a statement on the open connection. @throws BusUnavailableError without one. */
  query: ListenerQuery;
  /** @throws BusUnavailableError without a connection. */
  requireOpen(): void;
  close(): Promise<void>;
}

/** Statements of one connection run sequentially, for all callers. */
export type ListenerQuery = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;

export interface ListenerOptions {
  url: string;
  channel: string;
  appId: string;
  logger: Logger;
  metrics: BusMetrics;
}

interface OpenConnection {
  client: pg.Client;
  query: ListenerQuery;
}

const reconnectPauses = { firstMs: 100, longestMs: 5000 };

/** @throws OperatorError when the first connection fails. */
export async function createListener(options: ListenerOptions): Promise<Listener> {
  const { logger, metrics } = options;
  const address = describePostgresUrl(options.url);
  const handlers = createHandlers(options);
  let current: OpenConnection | null = null;
  const setups = createSetupList({
    current: () => current,
    run: ({ query }: OpenConnection, setup: (query: ListenerQuery) => Promise<void>) => setup(query),
  });
  let closed = false;
  let reason = 'not connected';
  let timer: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    const { url, appId } = options;
    const connecting = { url, logger, applicationName: appId, waits: true };
    const client = await connectClient(connecting, (error) => {
      reason = messageOf(error);
    });
    client.on('notification', ({ payload }) => handlers.dispatch(payload ?? ''));
    const query = queryInTurn(client);
    try {
      await query(`LISTEN ${pg.escapeIdentifier(options.channel)}`);
      for (const setup of setups) await setup(query);
      // Closed while this connection was being opened. Without this it would stay open forever.
      if (closed) throw new BusUnavailableError('the bus is closed');
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    client.once('end', () => onLost(client));
    current = { client, query };
    metrics.connected(true);
  }

  function openOne(): { query: ListenerQuery } {
    if (current === null) throw new BusUnavailableError(closed ? 'the bus is closed' : reason);
    return current;
  }

  function onLost(client: pg.Client): void {
    if (current?.client !== client) return;
    current = null;
    metrics.connected(false);
    if (closed) return;
    logger.info({ database: address, error: reason }, 'connection for notifications lost, reconnecting');
    reconnect(0);
  }

  function reconnect(tries: number): void {
    timer = setTimeout(
      () => {
        open().then(
          () => logger.info({ database: address }, 'notifications resumed'),
          (error) => {
            reason = messageOf(error);
            if (!closed) reconnect(tries + 1);
          },
        );
      },
      doublingPause(tries, reconnectPauses),
    );
  }

  await open().catch((error) => {
    throw explainConnectError(error, options.url);
  });

  return {
    on: handlers.on,
    attach: setups.attach,
    query: async (text, values) => openOne().query(text, values),
    requireOpen: () => void openOne(),
    async close() {
      closed = true;
      clearTimeout(timer);
      const open = current;
      current = null;
      await open?.client.end().catch(() => undefined);
      metrics.connected(false);
    },
  };
}

/** The handlers of notifications, by kind. */
function createHandlers({ url, channel, logger }: ListenerOptions) {
  const handlers = new Map<string, Set<(notification: Notification) => void>>();
  return {
    on(kind: Notification['kind'], handler: (notification: Notification) => void): () => void {
      const set = handlers.get(kind) ?? new Set();
      handlers.set(kind, set.add(handler));
      return () => set.delete(handler);
    },
    dispatch(payload: string): void {
      const notification = readNotification(payload);
      if (notification === null) {
        const database = describePostgresUrl(url);
        logger.warn({ database, channel }, 'ignored notification from another program');
        return;
      }
      for (const handler of handlers.get(notification.kind) ?? []) handler(notification);
    },
  };
}

/** Every user of the database may notify, with any text. Null for notifications that do not come from a bus. */
function readNotification(payload: string): Notification | null {
  try {
    const read: unknown = JSON.parse(payload);
    const { kind, name } = (read ?? {}) as Partial<Notification>;
    return typeof kind === 'string' && typeof name === 'string' ? (read as Notification) : null;
  } catch {
    return null;
  }
}

/** The driver supports one statement at a time on a connection. */
function queryInTurn(client: pg.Client): ListenerQuery {
  let last: Promise<unknown> = Promise.resolve();
  return async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => {
    const mine = last.then(() => client.query<Row>(text, values));
    last = mine.catch(() => undefined);
    return (await mine).rows;
  };
}

/**
 * @throws InvalidInputError when this is not a PostgreSQL URL. The text never repeats the URL, which may contain a
 * password.
 */
export function checkDatabaseUrl(text: string): void {
  if (postgresUrlsOf(text) !== null) return;
  throw new InvalidInputError('VIGIL_DATABASE_URL', 'must have the form postgres://user:password@host:5432/database');
}

/** Returns the remedy for a failed connection, for operators. */
function explainConnectError(error: unknown, url: string): OperatorError {
  if (error instanceof OperatorError) return error;
  const address = describePostgresUrl(url);
  const code = (error as { code?: unknown }).code;
  const explain = (what: string): OperatorError => new OperatorError(what, { cause: error });
  if (code === '28P01' || code === '28000') {
    const user = decodeURIComponent(new URL(postgresUrlsOf(url)?.[0] ?? url).username);
    return explain(`PostgreSQL at ${address} refuses user ${user}: check name and password in VIGIL_DATABASE_URL`);
  }
  if (code === '3D000') return explain(`PostgreSQL at ${address} has no such database; check VIGIL_DATABASE_URL`);
  return explain(`PostgreSQL cannot be reached at ${address}; check VIGIL_DATABASE_URL (${messageOf(error)})`);
}
