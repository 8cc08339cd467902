import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import type { Logger } from '#libs/domain';
import { isProcessAlive } from '../processes.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { unprivilegedAccount } from './postgres-binaries.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const settings = { fsync: 'off' };
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A private folder (mode 0700), as a checkout in a home folder is: the server account can not get into it. */
function privateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-pg-'));
  const dataDir = join(folder, 'postgres');
  folders.push(folder, prepareDataDirectory(dataDir, unprivilegedAccount(), silent));
  return dataDir;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('serves a database that keeps its data over a restart, and leaves no process behind', async () => {
  const dataDir = privateFolder();
  const first = await startEmbeddedPostgres({ dataDir, settings, logger: silent });
  await query(first.url, 'CREATE TABLE kept (id int)');
  await first.stop();
  const second = await startEmbeddedPostgres({ dataDir, settings, logger: silent });

  expect(await query(second.url, 'SELECT * FROM kept')).toEqual([]);
  await expect(query(second.url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(
    /password authentication failed/,
  );

  await second.stop();
  expect(isProcessAlive(first.pid)).toBe(false);
  expect(isProcessAlive(second.pid)).toBe(false);
});

test('a folder in use by a living process is refused', async () => {
  const dataDir = privateFolder();
  const server = await startEmbeddedPostgres({ dataDir, settings, logger: silent });
  const ownerFile = join(prepareDataDirectory(dataDir, unprivilegedAccount(), silent), 'owner.pid');
  const other = spawn('sleep', ['60']);
  execFileSync('sh', ['-c', `echo ${other.pid} > ${ownerFile}`]);

  await expect(startEmbeddedPostgres({ dataDir, settings, logger: silent })).rejects.toThrow(
    `another Vigil (pid ${other.pid}) uses the data directory`,
  );

  other.kill();
  await server.stop();
});

test('a server whose owner was killed is stopped and replaced', async () => {
  const dataDir = privateFolder();
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(resolve('dist/libs/service-kit/embedded/index.js'))};
    const silent = { debug() {}, info() {}, warn() {}, error() {} };
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, settings: { fsync: 'off' }, logger: silent });
    process.kill(process.pid, 'SIGKILL');`;
  await new Promise((done) =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }).once('exit', done),
  );
  const cluster = join(prepareDataDirectory(dataDir, unprivilegedAccount(), silent), 'cluster');
  const orphan = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
  expect(isProcessAlive(orphan)).toBe(true);

  const server = await startEmbeddedPostgres({ dataDir, settings, logger: silent });

  expect(isProcessAlive(orphan)).toBe(false);
  expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await server.stop();
});

test('an unusable folder is told with what to do', async () => {
  await expect(startEmbeddedPostgres({ dataDir: '/proc/vigil', logger: silent })).rejects.toThrow(
    /can not make the folder \/proc\/vigil: .*; set VIGIL_DATA_DIR to a writable folder/,
  );
});
