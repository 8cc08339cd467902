import pg from 'pg';
import type { Logger } from '#libs/domain';
import { defaultConnectTimeoutMs, keepAlive, limitSilence } from './pool-settings.ts';
import { postgresUrlsOf } from './postgres-url.ts';
import { createPrimaryFinder } from './primary-finder.ts';

/** A connection of its own. */
export interface ClientOptions {
  /** `postgres://user:password@a:5432,b:5432/database` */
  url: string;
  logger: Logger;
  applicationName: string;
  /** Longest wait for the connection, in milliseconds. Default 10,000. */
  connectTimeoutMs?: number;
  /**
   * Whether the connection mostly waits, as one that listens or holds a lock does: it is asked something every 10 s and
   * given up when nothing returns for 20 s. Otherwise a statement may take as long as it needs. Default false.
   */
  waits?: boolean;
}

const pingMs = 10_000;
const silenceMs = 20_000;
/** The server lets go of what the connection holds, such as a lock, before we are back after a break of the network. */
const noticeOurEnd = 'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3';

/**
 * Connects to the primary, outside any pool. The caller handles `error` events and ends it.
 * @throws what the driver throws
 */
export async function connectClient(options: ClientOptions, onError: (error: Error) => void): Promise<pg.Client> {
  const { url, logger, connectTimeoutMs = defaultConnectTimeoutMs } = options;
  const finder = createPrimaryFinder(postgresUrlsOf(url) ?? [url], { limitMs: connectTimeoutMs, logger });
  const client = new pg.Client({
    connectionString: await finder.find(),
    application_name: options.applicationName.slice(0, 63),
    connectionTimeoutMillis: connectTimeoutMs,
    ...keepAlive,
  });
  client.on('error', onError);
  await client.connect();
  if (options.waits) {
    keepAsking(client);
    await client.query(noticeOurEnd);
  }
  return client;
}

function keepAsking(client: pg.Client): void {
  limitSilence(client, silenceMs);
  // What comes of it does not matter: without a response the connection ends by its limit.
  const timer = setInterval(() => {
    // It takes one statement at a time. Whoever has one under way requests us.
    if ((client as { readyForQuery?: boolean }).readyForQuery) client.query('SELECT 1').catch(() => undefined);
  }, pingMs);
  timer.unref();
  client.once('end', () => clearInterval(timer));
}
