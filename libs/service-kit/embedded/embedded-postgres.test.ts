import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import type { Logger } from '#libs/domain';
import { isProcessAlive } from '../processes.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { unprivilegedAccount } from './postgres-binaries.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const settings = { fsync: 'off' };
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A private folder (mode 0700), as a checkout in a home folder is: the server account cannot get into it. */
function privateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-pg-'));
  folders.push(folder);
  return join(folder, 'postgres');
}

/** A server whose home is removed after the test, wherever it is. */
async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, settings, logger: silent });
  folders.push(server.home);
  return server;
}

/** A process that starts a server on the folder and is killed, with the guard or without; answers the pid of the server. */
async function leaveServer(dataDir: string, killGuard: boolean): Promise<number> {
  const script = `
    import { execFileSync } from 'node:child_process';
    import { startEmbeddedPostgres } from ${JSON.stringify(resolve('dist/libs/service-kit/embedded/index.js'))};
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const { pid } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, settings: { fsync: 'off' }, logger });
    console.log(pid);
    const processes = execFileSync('ps', ['-axo', 'pid=,ppid=']).toString().trim().split('\\n').map((line) => line.trim().split(/ +/).map(Number));
    const guard = processes.find((one) => one[0] === pid)[1];
    const guards = [guard, ...processes.filter((one) => one[1] === guard && one[0] !== pid).map((one) => one[0])];
    if (${killGuard}) for (const one of guards) process.kill(one, 'SIGKILL');
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  await once(child, 'exit');
  return Number.parseInt(line.toString(), 10);
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
  const first = await start(dataDir);
  await query(first.url, 'CREATE TABLE kept (id int)');
  await first.stop();
  const second = await start(dataDir);

  expect(second.home).toBe(first.home);
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
  const server = await start(dataDir);
  const other = spawn('sleep', ['60']);
  writeFileSync(join(server.home, 'owner.pid'), String(other.pid));

  await expect(start(dataDir)).rejects.toThrow(`another Vigil (pid ${other.pid}) uses the data directory`);

  other.kill();
  await server.stop();
});

test('a server ends in order when the process that started it is killed', async () => {
  const dataDir = privateFolder();
  const left = await leaveServer(dataDir, false);

  await expect.poll(() => isProcessAlive(left), { timeout: 20_000 }).toBe(false);

  const server = await start(dataDir);
  expect(readFileSync(join(server.home, 'cluster', 'postmaster.pid'), 'utf8')).toMatch(`${server.pid}\n`);
  await server.stop();
});

test('a server whose guard was killed too is stopped and replaced by the next start', async () => {
  const dataDir = privateFolder();
  const left = await leaveServer(dataDir, true);
  expect(isProcessAlive(left)).toBe(true);

  const server = await start(dataDir);

  // Its number is taken until whoever inherited it has looked.
  await expect.poll(() => isProcessAlive(left), { timeout: 20_000 }).toBe(false);
  expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await server.stop();
});

test('a number in the lock file that belongs to somebody else now gets no signal', async () => {
  const dataDir = privateFolder();
  const first = await start(dataDir);
  await first.stop();
  // Of the server's account, as a stale number is likely to be: PostgreSQL itself would refuse to start.
  const stranger = spawn('sleep', ['60'], { ...unprivilegedAccount(), stdio: 'ignore' });
  const ended = vi.fn();
  stranger.once('exit', ended);
  await once(stranger, 'spawn');
  const lock = join(first.home, 'cluster', 'postmaster.pid');
  writeFileSync(lock, `${stranger.pid}\n${join(first.home, 'cluster')}\n`);
  const { uid, gid } = statSync(join(first.home, 'cluster'));
  chownSync(lock, uid, gid);

  const second = await start(dataDir);

  expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(ended).not.toHaveBeenCalled();
  await second.stop();
  stranger.kill();
});

test('a missing password file is told, and the database stays', async () => {
  const dataDir = privateFolder();
  const first = await start(dataDir);
  await query(first.url, 'CREATE TABLE kept (id int)');
  await first.stop();
  const password = join(first.home, 'password');
  renameSync(password, `${password}.away`);

  await expect(start(dataDir)).rejects.toThrow(`its password file ${password} is missing; put the file back`);

  renameSync(`${password}.away`, password);
  const second = await start(dataDir);
  expect(await query(second.url, 'SELECT * FROM kept')).toEqual([]);
  await second.stop();
});

test('a folder that others can write is not used', async () => {
  const shared = mkdtempSync(join(tmpdir(), 'vigil-pg-'));
  folders.push(shared);
  chmodSync(shared, 0o777);

  await expect(start(join(shared, 'postgres'))).rejects.toThrow(
    `${shared} can be written by other users; set VIGIL_DATA_DIR to a folder that only you can write`,
  );
});

test('a password that is a link is not used', async () => {
  const dataDir = privateFolder();
  const first = await start(dataDir);
  await first.stop();
  const password = join(first.home, 'password');
  const planted = `${dataDir}.planted`;
  renameSync(password, planted);
  symlinkSync(planted, password);

  await expect(start(dataDir)).rejects.toThrow(`${password} is not a file of uid`);
});

test('an unusable folder is told with what to do', async () => {
  await expect(start('/proc/vigil')).rejects.toThrow(
    /cannot make the folder \/proc\/vigil: .*; set VIGIL_DATA_DIR to a writable folder/,
  );
});
