import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';
import pg from 'pg';
import type { Logger } from '#libs/domain';
import type { Metrics } from '#libs/service-kit';
import { connectTimeoutOf, postgresUrlsOf } from './postgres-url.ts';
import { createPrimaryFinder } from './primary-finder.ts';

/** How connections are kept alive through firewalls, and how soon a peer that vanished is noticed. Milliseconds. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Purpose of a pool. */
export interface PoolOptions {
  /** `postgres://user:password@a:5432,b:5432/database` */
  url: string;
  logger: Logger;
  applicationName: string;
  /** Connections at most. */
  max: number;
  /** Wait for a connection at most, in milliseconds. Default: `connect_timeout` of the URL, or 10,000. */
  connectTimeoutMs?: number;
  /** Limit of one statement in milliseconds, kept by the server; 0 for none, and then none on this side either. */
  statementTimeoutMs: number;
  /** Without it nothing is measured. */
  metrics?: Metrics;
}

/** Time that the response of the server to a limit that it keeps may need, in milliseconds. */
const responseMs = 5000;
const standbyState = '25006';

/**
 * Settings for a pool of `pg` whose connections go to the primary and never wait without a limit. A server that does
 * not respond is abandoned `responseMs` after the limit of the statement. Await `findPrimary` before the first
 * connection.
 */
export function poolSettings(options: PoolOptions): { settings: pg.PoolConfig; findPrimary(): Promise<string> } {
  const { url, logger, connectTimeoutMs = connectTimeoutOf(url), statementTimeoutMs } = options;
  const urls = postgresUrlsOf(url) ?? [url];
  const finder = createPrimaryFinder(urls, { limitMs: connectTimeoutMs, logger });
  const connected = new WeakSet<pg.ClientBase>();
  const connections = options.metrics?.counter(
    'vigil_database_connections_total',
    'Connections to PostgreSQL by result: opened, failed, or given up without a response',
    ['result'],
  );

  /** Called with `new` by the pool: a client of the server that is the primary at that time. */
  function PrimaryClient(config: pg.ClientConfig): pg.Client {
    const server = finder.current();
    const client = new pg.Client({ ...config, connectionString: server });
    client.once('end', () => {
      if (connected.has(client)) return;
      connections?.inc({ result: 'failed' });
      finder.suspect(server);
    });
    return client;
  }

  async function onConnect(client: pg.ClientBase): Promise<void> {
    const onGivenUp = () => connections?.inc({ result: 'unanswered' });
    if (statementTimeoutMs > 0) limitSilence(client, statementTimeoutMs + responseMs, onGivenUp);
    if (urls.length > 1) await requirePrimary(client);
    connected.add(client);
    connections?.inc({ result: 'opened' });
  }

  const settings: pg.PoolConfig = {
    connectionString: urls[0],
    application_name: options.applicationName.slice(0, 63),
    max: options.max,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    ...keepAlive,
    Client: PrimaryClient as unknown as new () => pg.ClientBase,
    onConnect: onConnect as (client: pg.ClientBase) => void,
  };
  return { settings, findPrimary: finder.find };
}

async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby === false) return;
  throw Object.assign(new Error('the server is a standby and takes no writes'), { code: standbyState });
}

/**
 * Ends a connection without traffic for `limitMs`: the server stalled, or the network drops packets. Pending
 * statements reject with ETIMEDOUT. Use it where silence is never legitimate: every statement has a lower limit in the
 * server, and idle connections are closed or probed earlier.
 */
export function limitSilence(client: ClientBase, limitMs: number, onGivenUp: () => void = () => undefined): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setTimeout(limitMs, () => {
    onGivenUp();
    const text = `PostgreSQL: no response within ${limitMs / 1000} s, the connection is given up`;
    stream.destroy(Object.assign(new Error(text), { code: 'ETIMEDOUT' }));
  });
}
