import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Logger, messageOf, OperatorError } from '#libs/domain';
import { isProcessAlive, waitForExit } from '../processes.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { findFreePort } from './find-free-port.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';

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

/** A PostgreSQL server that is a child of this process. */
export interface EmbeddedPostgres {
  /** Of the database `vigil`, with the superuser's password. */
  url: string;
  port: number;
  pid: number;
  /** Resolves when the server has ended, whoever ended it. */
  exited: Promise<void>;
  /** Fast shutdown; resolves when the server is gone. */
  stop(): Promise<void>;
}

const startTimeoutMs = 30_000;
const defaultSettings = { max_connections: '200', shared_buffers: '128MB', unix_socket_directories: '' };

/**
 * Starts a PostgreSQL server of our own on loopback, making its cluster first when there is none. A server that a
 * killed predecessor left behind on the same folder is stopped first.
 * @throws OperatorError when another living process uses the folder, or the server does not come up.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { logger } = options;
  const binaries = findPostgresBinaries();
  const directory = prepareDataDirectory(options.dataDir, binaries.account, logger);
  const cluster = join(directory, 'cluster');
  await removePredecessor(directory, cluster, logger);
  writeFileSync(join(directory, 'owner.pid'), String(process.pid));
  const password = preparePassword(directory, binaries);
  if (!existsSync(join(cluster, 'PG_VERSION'))) makeCluster(cluster, join(directory, 'password'), binaries);

  const port = options.port ?? (await findFreePort());
  const server = spawnServer(cluster, port, { ...defaultSettings, ...options.settings }, binaries);
  const output = collectOutput(server);
  const exited = waitForExit(server);
  const stop = () => stopServer(server, exited);
  const url = `postgres://vigil:${password}@127.0.0.1:${port}/`;
  try {
    await waitUntilReady(`${url}postgres`, server, output);
    await makeDatabase(`${url}postgres`);
  } catch (error) {
    await stop();
    throw error;
  }
  logger.debug({ port, directory, pid: server.pid }, 'embedded PostgreSQL is up');
  return { url: `${url}vigil`, port, pid: server.pid!, exited, stop };
}

async function removePredecessor(directory: string, cluster: string, logger: Logger): Promise<void> {
  const owner = readPid(join(directory, 'owner.pid'));
  const server = readPid(join(cluster, 'postmaster.pid'));
  if (!server || !isProcessAlive(server)) return;
  if (owner && owner !== process.pid && isProcessAlive(owner))
    throw new OperatorError(
      `another Vigil (pid ${owner}) uses the data directory ${directory}; stop it, or set VIGIL_DATA_DIR`,
    );
  logger.warn({ pid: server, directory }, 'stopping the PostgreSQL server that a killed process left behind');
  process.kill(server, 'SIGINT');
  const until = performance.now() + 15_000;
  while (isProcessAlive(server)) {
    if (performance.now() > until)
      throw new OperatorError(`the PostgreSQL server ${server} in ${directory} does not stop; end it and try again`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function readPid(path: string): number | null {
  if (!existsSync(path)) return null;
  const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
  return Number.isInteger(pid) && pid > 1 ? pid : null;
}

function preparePassword(directory: string, binaries: PostgresBinaries): string {
  const file = join(directory, 'password');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (existsSync(join(directory, 'cluster'))) rmSync(join(directory, 'cluster'), { recursive: true });
  const password = randomBytes(18).toString('base64url');
  writeFileSync(file, password, { mode: 0o600 });
  if (binaries.account)
    spawnSync('chown', [`${binaries.account.uid}:${binaries.account.gid}`, file], { timeout: 5000 });
  return password;
}

function makeCluster(cluster: string, passwordFile: string, { initdb, account }: PostgresBinaries): void {
  const partial = `${cluster}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const parameters = [
    '-D',
    partial,
    '-U',
    'vigil',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--no-locale',
    '--no-sync',
  ];
  const result = spawnSync(initdb, parameters, { encoding: 'utf8', timeout: 120_000, cwd: '/', ...account });
  if (result.status !== 0)
    throw new OperatorError(
      `can not make the database cluster in ${cluster}: ${(result.stderr || messageOf(result.error)).trim()}`,
    );
  const renamed = spawnSync('mv', [partial, cluster], { encoding: 'utf8', timeout: 10_000 });
  if (renamed.status !== 0) throw new OperatorError(`can not make ${cluster}: ${renamed.stderr.trim()}`);
}

function spawnServer(
  cluster: string,
  port: number,
  settings: Record<string, string>,
  { postgres, account }: PostgresBinaries,
): ChildProcess {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(postgres, ['-D', cluster, '-h', '127.0.0.1', '-p', String(port), ...options], {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    // In a group of its own, so that Ctrl-C reaches only the supervisor, which stops things in order.
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    ...account,
  });
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

async function stopServer(server: ChildProcess, exited: Promise<void>): Promise<void> {
  for (const [signal, graceMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    const gone = await Promise.race([
      exited.then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, graceMs, false).unref()),
    ]);
    if (gone) return;
  }
}
