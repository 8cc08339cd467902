import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from '#libs/domain';
import { applicationPassword, applicationRole, makeApplicationDatabase, transferObjects } from './application-role.ts';
import { prepareCluster } from './cluster.ts';
import { findFreePort } from './free-ports.ts';
import { startGuardedServer } from './guarded-server.ts';
import { clearLeftHomes } from './left-homes.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { openServerHome } from './server-home.ts';
import { stopLeftServer, writeOwner } from './server-processes.ts';
import { whenReady } from './when-ready.ts';

/** Location and options of the embedded server. */
export interface EmbeddedPostgresOptions {
  /** Folder for the cluster. Created when missing. */
  dataDir: string;
  /** TCP port on 127.0.0.1. Default: a free one. */
  port?: number;
  /** Further server settings, such as `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>;
  logger: Logger;
}

/** A PostgreSQL server that ends with this process, also when the process is killed. */
export interface EmbeddedPostgres {
  /** URL of the database `vigil`, with its owner, which is no superuser. */
  url: string;
  /** The same URL with the superuser. Not for the processes. */
  superuserUrl: string;
  port: number;
  pid: number;
  /** Folder of its cluster and password: the data folder, or its substitute. */
  home: string;
  /** Resolves when the server has ended for any reason. */
  exited: Promise<void>;
  /** Fast shutdown. After ten seconds it is immediate. Resolves when the server has ended. */
  stop(): Promise<void>;
}

const defaultSettings = { max_connections: '200', shared_buffers: '128MB', unix_socket_directories: '' };

/**
 * Starts a private PostgreSQL server on loopback. Creates a missing cluster first. Its guard shuts it down when this
 * process ends without doing so. The next start stops a server whose guard was also killed, and removes the homes of
 * deleted temporary folders.
 * @throws OperatorError when another living process uses the folder, others can write there, part of the database is
 * missing, or the server does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { logger } = options;
  const binaries = findPostgresBinaries();
  const home = openServerHome(options.dataDir, binaries.account, logger);
  await stopLeftServer(home, logger);
  writeOwner(home);
  // Not awaited.
  if (binaries.account) void clearLeftHomes(binaries.account, logger);
  const password = await prepareCluster(home, binaries, logger);

  const port = options.port ?? (await findFreePort());
  const settings = Object.entries({ ...defaultSettings, ...options.settings });
  const parameters = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { server, pid, exited, stop } = await startGuardedServer(
    binaries.postgres,
    ['-D', join(home, 'cluster'), '-h', '127.0.0.1', '-p', String(port), ...parameters],
    binaries.account,
  );
  const output = collectOutput(server);
  const urls = urlsOf(port, password);
  const starting = { ended: () => (hasEnded(server) ? output.tail() : null), logger };
  try {
    const left: string[] = [];
    await whenReady({ url: urls.superuserUrlOf('postgres'), ...starting }, async (client) => {
      left.push(...(await makeApplicationDatabase(client, password)));
    });
    for (const database of new Set(left)) {
      await whenReady({ url: urls.superuserUrlOf(database), ...starting }, (client) =>
        transferObjects(client, database),
      );
      logger.info({ database }, 'transferred the database to a role without superuser rights');
    }
  } catch (error) {
    await stop();
    throw error;
  }
  logger.debug({ port, home, pid }, 'embedded PostgreSQL ready');
  return { url: urls.url, superuserUrl: urls.superuserUrlOf('vigil'), port, pid, home, exited, stop };
}

/** URLs of a server on this port, from its superuser's password. */
export function urlsOf(port: number, superPassword: string): { url: string; superuserUrlOf(database: string): string } {
  const place = `127.0.0.1:${port}`;
  return {
    url: `postgres://${applicationRole}:${applicationPassword(superPassword)}@${place}/vigil`,
    superuserUrlOf: (database) => `postgres://vigil:${superPassword}@${place}/${encodeURIComponent(database)}`,
  };
}

/** The last lines that the server printed, for error messages. */
function collectOutput(server: ChildProcess): { tail(): string } {
  let text = '';
  server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-2000);
  });
  return { tail: () => text.trim().split('\n').slice(-3).join(' | ') };
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined;
}
