import pg from 'pg';
import type { Logger } from '#libs/domain';
import { keepAlive, limitSilence } from './pool-settings.ts';
import { connectTimeoutOf, postgresUrlsOf } from './postgres-url.ts';
import { createPrimaryFinder } from './primary-finder.ts';

/** A separate connection. */
export interface ClientOptions {
  /** `postgres://user:password@a:5432,b:5432/database` */
  url: string;
  logger: Logger;
  applicationName: string;
  /** Longest wait for the connection, in milliseconds. Default: `connect_timeout` of the URL, or 10,000. */
  connectTimeoutMs?: number;
  /**
   * Whether the connection mostly waits, as one that listens or holds a lock does. It then runs a probe every 10 s and
   * ends when no response arrives for 20 s. Otherwise a statement may run without a limit. Default false.
   */
  waits?: boolean;
}

const pingMs = 10_000;
const silenceMs = 20_000;
/** Limit after which the server releases the connection's locks, before a client reconnects after a network break. */
const noticeOurEnd = 'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3';

/**
 * Connects to the primary, outside any pool. The caller handles `error` events and ends it.
 * @throws the driver's error
 */
export async function connectClient(options: ClientOptions, onError: (error: Error) => void): Promise<pg.Client> {
  const { url, logger, connectTimeoutMs = connectTimeoutOf(url) } = options;
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
    keepProbing(client);
    await client.query(noticeOurEnd);
  }
  return client;
}

function keepProbing(client: pg.Client): void {
  limitSilence(client, silenceMs);
  // The result does not matter: without a response, the connection ends by its limit.
  const timer = setInterval(() => {
    // The connection runs one statement at a time. A running statement replaces the probe.
    if ((client as { readyForQuery?: boolean }).readyForQuery) client.query('SELECT 1').catch(() => undefined);
  }, pingMs);
  timer.unref();
  client.once('end', () => clearInterval(timer));
}
