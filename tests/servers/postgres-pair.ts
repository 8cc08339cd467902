import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { silentLogger } from '#libs/domain';
import { type GuardedPostgres, startGuardedPostgres } from './guarded-postgres.ts';
import { signalProcess } from './killable-server.ts';

const run = promisify(execFile);

/** Two servers. The second follows the first by streaming replication. */
export interface PostgresPair {
  /** URL of the database `vigil`, with both servers. */
  url: string;
  primaryUrl: string;
  standbyUrl: string;
  /** Cuts the standby off. The primary no longer waits for it. */
  detach(): Promise<void>;
  /** Kills the primary, as a power failure does. */
  killPrimary(): Promise<void>;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const fast = { fsync: 'off', full_page_writes: 'off' };

/**
 * Starts both. The standby has every transaction that the primary confirmed. Takes about five seconds.
 * @param more settings of both servers.
 */
export async function startPostgresPair(more: Record<string, string> = {}): Promise<PostgresPair> {
  const settings = { ...fast, ...more };
  const primary = await startGuardedPostgres({ name: 'primary', settings, logger: silentLogger });
  const standby = await startStandby(primary, settings).catch(async (error) => {
    await primary.stop();
    throw error;
  });
  let frozenSender: number | null = null;
  return {
    url: primary.url.replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${standby.port}/`),
    primaryUrl: primary.url,
    standbyUrl: standby.url,
    async detach() {
      await query(primary.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
      await query(primary.url, 'SELECT pg_reload_conf()');
      const [sender] = await query<{ pid: number }>(primary.url, 'SELECT pid FROM pg_stat_replication');
      if (!sender) throw new Error('nobody follows the primary');
      frozenSender = sender.pid;
      signalProcess(frozenSender, 'SIGSTOP');
    },
    async killPrimary() {
      process.kill(primary.pid, 'SIGQUIT');
      // Only this ends a stopped process.
      if (frozenSender !== null) signalProcess(frozenSender, 'SIGKILL');
      await primary.exited;
    },
    async promote() {
      await query(standby.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
      await query(standby.url, 'SELECT pg_promote()');
    },
    async stop() {
      await Promise.all([standby.stop(), primary.stop()]);
    },
  };
}

/** Starts a server on a copy of the primary. From then on the primary waits for it. */
async function startStandby(primary: GuardedPostgres, common: Record<string, string>): Promise<GuardedPostgres> {
  async function prepare(dataDir: string): Promise<void> {
    const copied = [join(primary.dataDir, 'cluster'), join(primary.dataDir, 'password')];
    await query(primary.url, "SELECT pg_backup_start('standby', true)", async () => {
      await run('cp', ['-a', ...copied, dataDir], { cwd: '/' });
    });
    const cluster = join(dataDir, 'cluster');
    await run('rm', [join(cluster, 'postmaster.pid')], { cwd: '/' });
    await run('cp', ['-a', join(cluster, 'PG_VERSION'), join(cluster, 'standby.signal')], { cwd: '/' });
  }
  const { username, password, port } = new URL(primary.url);
  const from = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`;
  const settings = { ...common, primary_conninfo: from };
  const standby = await startGuardedPostgres({ name: 'standby', settings, logger: silentLogger, prepare });
  try {
    await query(primary.url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await query(primary.url, 'SELECT pg_reload_conf()');
  } catch (error) {
    await standby.stop();
    throw error;
  }
  return standby;
}

/** Runs a statement, and a task while the same connection stays open: a backup ends with its connection. */
async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  during?: () => Promise<void>,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000, query_timeout: 60_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const response = await client.query<Row>(text);
    if (during) {
      await during();
      const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
      if (!rows[0]?.labelfile) throw new Error('the backup has no label');
    }
    return response.rows;
  } finally {
    await client.end();
  }
}
