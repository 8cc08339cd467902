import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { type Logger, messageOf, OperatorError } from '#libs/domain';
import { prepareCluster } from './cluster.ts';
import { startGuardedServer } from './guarded-server.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { openServerHome } from './server-home.ts';
import { stopLeftServer, writeOwner } from './server-processes.ts';

/** Where the embedded server lives. */
export interface EmbeddedPostgresOptions {
  /** Folder for the cluster; made when missing. */
  dataDir: string;
  /** TCP port on 127.0.0.1; a free one when absent. */
  port?: number;
  /** Further server settings, such as `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>;
  logger: Logger;
}

/** A PostgreSQL server that ends with this process, however that ends. */
export interface EmbeddedPostgres {
  /** Of the database `vigil`, with the superuser's password. */
  url: string;
  port: number;
  pid: number;
  /** Folder of its cluster and password: the data folder, or what takes its place. */
  home: string;
  /** Resolves when the server has ended, whoever ended it. */
  exited: Promise<void>;
  /** Fast shutdown, after ten seconds an immediate one; resolves when the server is gone. */
  stop(): Promise<void>;
}

const startTimeoutMs = 30_000;
const defaultSettings = { max_connections: '200', shared_buffers: '128MB', unix_socket_directories: '' };

/**
 * Starts a PostgreSQL server of our own on loopback, making its cluster first when there is none. Its guard shuts it down when
 * this process ends without doing so; a server whose guard was killed too is stopped by the next start.
 * @throws OperatorError when another living process uses the folder, others can write there, something of the database is
 * missing, or the server does not come up.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { logger } = options;
  const binaries = findPostgresBinaries();
  const home = openServerHome(options.dataDir, binaries.account, logger);
  await stopLeftServer(home, logger);
  writeOwner(home);
  const password = prepareCluster(home, binaries);

  const port = options.port ?? (await findFreePort());
  const settings = Object.entries({ ...defaultSettings, ...options.settings });
  const parameters = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { server, pid, exited, stop } = await startGuardedServer(
    binaries.postgres,
    ['-D', join(home, 'cluster'), '-h', '127.0.0.1', '-p', String(port), ...parameters],
    binaries.account,
  );
  const output = collectOutput(server);
  const url = `postgres://vigil:${password}@127.0.0.1:${port}/`;
  try {
    await waitUntilReady(`${url}postgres`, server, output);
    await makeDatabase(`${url}postgres`);
  } catch (error) {
    await stop();
    throw error;
  }
  logger.debug({ port, home, pid }, 'embedded PostgreSQL is up');
  return { url: `${url}vigil`, port, pid, home, exited, stop };
}

/** The last lines that the server printed, for error messages. */
function collectOutput(server: ChildProcess): { tail(): string } {
  let text = '';
  server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-2000);
  });
  return { tail: () => text.trim().split('\n').slice(-3).join(' | ') };
}

async function waitUntilReady(url: string, server: ChildProcess, output: { tail(): string }): Promise<void> {
  const until = performance.now() + startTimeoutMs;
  for (;;) {
    if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined)
      throw new OperatorError(`the embedded PostgreSQL ended at its start: ${output.tail()}`);
    try {
      await runSql(url, 'SELECT 1');
      return;
    } catch (error) {
      if (performance.now() > until)
        throw new OperatorError(
          `the embedded PostgreSQL is not ready after ${startTimeoutMs / 1000} s: ${messageOf(error)} ${output.tail()}`,
        );
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

async function makeDatabase(url: string): Promise<void> {
  const found = await runSql(url, "SELECT 1 FROM pg_database WHERE datname = 'vigil'");
  if (found.rowCount === 0) await runSql(url, 'CREATE DATABASE vigil');
}

async function runSql(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 20_000 });
  // A server that goes away between two statements reports it here too; the failed call tells enough.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

/** A TCP port of 127.0.0.1 that nobody listens on; another process may take it before the caller does. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
