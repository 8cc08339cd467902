import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { silentLogger } from '#libs/domain';
import { isProcessAlive } from '../processes.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { giveAll, sharedAccount, unprivilegedAccount } from './server-account.ts';

const settings = { fsync: 'off' };
const folders: string[] = [];
/**
 * Folder of a used database that was stopped in order. A new one costs more than all else of most tests. Each test
 * leaves it unchanged.
 */
const used = join(mkdtempSync(join(tmpdir(), 'vigil-pg-')), 'postgres');
let first: EmbeddedPostgres;

function remove(...paths: string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

beforeAll(async () => {
  first = await start();
  await query(first.url, 'CREATE TABLE kept (id int)');
  await first.stop();
});
afterEach(() => remove(...folders.splice(0)));
afterAll(() => remove(dirname(used), first?.home ?? used));

/** A private folder (mode 0700), as a checkout in a home folder is: the server account cannot get into it. */
function privateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-pg-'));
  folders.push(folder);
  return join(folder, 'postgres');
}

function start(dataDir = used): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, settings, logger: silentLogger });
}

/**
 * A process that starts a server on the folder and is killed, with the guard or without. Returns the pid of the server.
 */
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
  const second = await start();

  expect(second.home).toBe(first.home);
  expect(await query(second.url, 'SELECT * FROM kept')).toEqual([]);
  await expect(query(second.url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(
    /password authentication failed/,
  );

  await second.stop();
  expect(isProcessAlive(first.pid)).toBe(false);
  expect(isProcessAlive(second.pid)).toBe(false);
});

test('the role of the processes is no superuser, and owns the objects that it creates', async () => {
  const server = await start();
  const isSuper = 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user';

  expect(await query(server.url, isSuper)).toEqual([{ rolsuper: false }]);
  expect(await query(server.superuserUrl, isSuper)).toEqual([{ rolsuper: true }]);
  await query(server.url, 'CREATE TABLE own (id int); DROP TABLE own');
  await expect(query(server.url, "SELECT pg_read_file('PG_VERSION')")).rejects.toThrow(/permission denied/);
  await server.stop();
});

test.runIf(process.getuid?.() === 0)('no process of another user can read the password or the data', async () => {
  const server = await start();
  const account = unprivilegedAccount();
  const reads = (path: string, who = sharedAccount) => spawnSync('cat', [path], { cwd: '/', ...who }).status === 0;

  expect(account).not.toEqual(sharedAccount);
  expect(statSync(`/proc/${server.pid}`).uid).toBe(account?.uid);
  expect(reads(join(server.home, 'password'))).toBe(false);
  expect(reads(join(server.home, 'password'), account)).toBe(false);
  expect(reads(join(server.home, 'cluster', 'PG_VERSION'))).toBe(false);
  expect(reads(join(server.home, 'cluster', 'PG_VERSION'), account)).toBe(true);
  await server.stop();
});

test.runIf(process.getuid?.() === 0)(
  'a database of an earlier version gets its own account, role and password',
  async () => {
    const dataDir = privateFolder();
    const before = await start(dataDir);
    folders.push(before.home);
    await query(
      before.superuserUrl,
      `CREATE TYPE mood AS ENUM ('calm'); CREATE TABLE old (id serial, at mood); CREATE SEQUENCE free_seq;
     CREATE VIEW seen AS SELECT * FROM old; CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';
     INSERT INTO old (at) VALUES ('calm'); ALTER DATABASE vigil OWNER TO vigil`,
    );
    await before.stop();
    giveAll(join(before.home, 'cluster'), sharedAccount);
    giveAll(join(before.home, 'password'), sharedAccount);
    const former = readFileSync(join(before.home, 'password'), 'utf8');

    const server = await start(dataDir);

    expect(readFileSync(join(server.home, 'password'), 'utf8')).not.toBe(former);
    expect(statSync(join(server.home, 'password')).uid).toBe(0);
    expect(statSync(join(server.home, 'cluster', 'base')).uid).toBe(unprivilegedAccount()?.uid);
    expect(await query(server.url, 'SELECT * FROM seen')).toEqual([{ id: 1, at: 'calm' }]);
    await query(
      server.url,
      `ALTER TABLE old ADD more int; DROP VIEW seen; DROP FUNCTION one(); DROP SEQUENCE free_seq; DROP TABLE old;
     DROP TYPE mood`,
    );
    const owner = "SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = 'vigil'";
    expect(await query(server.url, owner)).toEqual([{ owner: 'vigil_up' }]);
    await server.stop();
  },
);

test('a folder in use by a living process is refused', async () => {
  const server = await start();
  const other = spawn('sleep', ['60']);
  writeFileSync(join(server.home, 'owner.pid'), String(other.pid));

  await expect(start()).rejects.toThrow(`another Vigil (pid ${other.pid}) uses the data directory`);

  other.kill();
  await once(other, 'exit');
  await server.stop();
});

test('a server ends in order when the process that started it is killed', async () => {
  const left = await leaveServer(used, false);

  await expect.poll(() => isProcessAlive(left)).toBe(false);

  const server = await start();
  expect(readFileSync(join(server.home, 'cluster', 'postmaster.pid'), 'utf8')).toMatch(`${server.pid}\n`);
  await server.stop();
});

test('a server whose guard was killed too is stopped and replaced by the next start', async () => {
  const left = await leaveServer(used, true);
  expect(isProcessAlive(left)).toBe(true);

  const server = await start();

  // Its number is taken until the heir has checked it.
  await expect.poll(() => isProcessAlive(left)).toBe(false);
  expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await server.stop();
});

test('a process id in the lock file that another process has now gets no signal', async () => {
  // Of the server's account and of its name, as a stale number is likely to be: PostgreSQL itself would refuse to
  // start.
  const program = join(first.home, 'postgres');
  copyFileSync('/bin/sleep', program);
  const stranger = spawn(program, ['60'], { ...unprivilegedAccount(), cwd: '/', stdio: 'ignore' });
  const ended = vi.fn();
  stranger.once('exit', ended);
  await once(stranger, 'spawn');
  const lock = join(first.home, 'cluster', 'postmaster.pid');
  writeFileSync(lock, `${stranger.pid}\n${join(first.home, 'cluster')}\n`);
  const { uid, gid } = statSync(join(first.home, 'cluster'));
  chownSync(lock, uid, gid);

  const second = await start();

  expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(ended).not.toHaveBeenCalled();
  await second.stop();
  stranger.kill();
  remove(program);
});

test('the next start clears the remains of a killed process whose temporary folder was deleted, and nothing else', async () => {
  const dataDir = privateFolder();
  const account = unprivilegedAccount();
  const left = await leaveServer(dataDir, true);
  // Without another account a server is in its data folder and is removed with it.
  if (!account) {
    process.kill(left, 'SIGINT');
    return;
  }
  const home = readFileSync(join(dataDir, 'location'), 'utf8').trim();
  // Of a disk that may return.
  const other = mkdtempSync(join(dirname(home), 'vigil-'));
  folders.push(home, other);
  writeFileSync(join(other, 'home-of'), '/srv/vigil-away/postgres');
  mkdirSync(join(other, 'cluster'));
  rmSync(dirname(dataDir), { recursive: true });

  const server = await start();

  await expect.poll(() => existsSync(home)).toBe(false);
  await expect.poll(() => isProcessAlive(left)).toBe(false);
  expect(existsSync(join(other, 'cluster'))).toBe(true);
  await server.stop();
});

test('a missing password file is reported, and the database stays', async () => {
  const password = join(first.home, 'password');
  renameSync(password, `${password}.away`);

  await expect(start()).rejects.toThrow(`its password file ${password} is missing; restore the file`);

  renameSync(`${password}.away`, password);
  const second = await start();
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
  const password = join(first.home, 'password');
  const planted = `${used}.planted`;
  renameSync(password, planted);
  symlinkSync(planted, password);

  await expect(start()).rejects.toThrow(`${password} is not a file of uid`);
  renameSync(planted, password);
});

test('an unusable folder is reported with the remedy', async () => {
  await expect(start('/proc/vigil')).rejects.toThrow(
    /cannot make the folder \/proc\/vigil: .*; set VIGIL_DATA_DIR to a writable folder/,
  );
});
