import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#libs/domain';
import { readSuperPassword } from './cluster.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres, urlsOf } from './embedded-postgres.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { openServerHome } from './server-home.ts';
import { findServers, readOwner } from './server-processes.ts';

/** The embedded database while a command uses it. */
export interface ReachedPostgres {
  url: string;
  /** Stops the server when it was started for this command. The server of a running `vigil up` continues. */
  stop(): Promise<void>;
}

/**
 * Uses the embedded server that runs on a data folder, or starts it temporarily.
 * @throws OperatorError when the folder has no database yet, and the errors of `startEmbeddedPostgres`
 */
export async function reachEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<ReachedPostgres> {
  const { dataDir, logger } = options;
  const none = `there is no embedded database in ${dataDir}; set VIGIL_DATA_DIR, or VIGIL_DATABASE_URL for another one`;
  if (!existsSync(dataDir)) throw new OperatorError(none, { exitCode: 2 });
  const binaries = findPostgresBinaries();
  const home = openServerHome(dataDir, binaries.account, logger);
  const cluster = join(home, 'cluster');
  if (!existsSync(cluster)) throw new OperatorError(none, { exitCode: 2 });
  if (readOwner(home) === null || findServers(cluster).length === 0) return startEmbeddedPostgres(options);
  // Its fourth line is the port.
  const port = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3]);
  if (!Number.isInteger(port) || port < 1)
    throw new OperatorError(`the server in ${cluster} is starting or stopping; try again`);
  const { url, superuserUrlOf } = urlsOf(port, readSuperPassword(home));
  // A server of an earlier version that still runs has only the superuser.
  const { account } = binaries;
  const isEarlier = account !== undefined && lstatSync(cluster).uid !== account.uid;
  return { url: isEarlier ? superuserUrlOf('vigil') : url, stop: async () => undefined };
}
