import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { isProcessAlive } from '#libs/service-kit';
import { findFreePorts } from '#libs/service-kit/embedded';
import { createStore } from '#libs/store';
import { createTestDatabase } from '../database.ts';
import { cloudEnv } from './cloud-env.ts';
import { runVigil, startVigil, type VigilProcess } from './vigil-process.ts';

/** Shared by all tests: making its database costs as much as some of the processes. */
let dataDir: string;
let up: VigilProcess | undefined;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vigil-up-'));
  // The server account can pass, so the database is in this folder and is removed with it.
  chmodSync(dataDir, 0o755);
});
afterEach(async () => {
  await up?.stop();
  up = undefined;
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function start(env: NodeJS.ProcessEnv = {}): Promise<VigilProcess> {
  return startVigil(['up'], {
    VIGIL_DATA_DIR: dataDir,
    VIGIL_PORT: '0',
    VIGIL_SIMULATOR_PORT: '0',
    VIGIL_SIMULATOR_GENERATE: 'hosts=3,instances=9',
    VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
    ...env,
  });
}

/** Pids of the processes below `pid`, by the first argument of the `vigil` command (`postgres` for the database). */
function childrenOf(pid: number): Map<string, number> {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const children = new Map<string, number>();
  for (const line of lines) {
    const [, childPid, args = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    children.set(
      args.includes('vigil.js') ? args.trim().split(' ').at(-1)! : args.includes('postgres') ? 'postgres' : args,
      Number(childPid),
    );
  }
  return children;
}

async function eventually<Value>(
  read: () => Value | undefined | Promise<Value | undefined>,
  timeoutMs = 120_000,
): Promise<Value> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (Date.now() > until) throw new Error('did not happen in time');
    await new Promise((done) => setTimeout(done, 100));
  }
}

const parts = ['postgres', 'simulator', 'api', 'decision-engine', 'applier', 'scheduler', 'coordinator'];

test('brings everything up, starts a crashed process again, and leaves none behind on Ctrl-C', async () => {
  up = await start();
  const before = childrenOf(up.pid);
  expect([...before.keys()].sort()).toEqual([...parts].sort());
  expect((await fetch(`${up.url}/readyz`)).status).toBe(200);
  // The catalogue names the real address of the API with any port.
  const simulatorLog = readFileSync(join(dataDir, 'logs', 'simulator.log'), 'utf8');
  const [, authUrl] = /"authUrl":"([^"]+)"/.exec(simulatorLog) ?? [];
  const login = { ...cloudEnv(null, 'admin', 'admin'), OS_AUTH_URL: authUrl };
  expect(await runVigil(['goal', 'list', '--json'], login)).toMatchObject({ exitCode: 0, stderr: '' });

  process.kill(before.get('applier')!, 'SIGKILL');
  const again = await eventually(() => {
    const pid = childrenOf(up!.pid).get('applier');
    return pid !== undefined && pid !== before.get('applier') ? pid : undefined;
  });
  await eventually(() =>
    readFileSync(join(dataDir, 'logs', 'applier.log'), 'utf8').match(/"msg":"ready"/g)?.length === 2 ? true : undefined,
  );

  const exitCode = await up.stop('SIGINT');

  expect(exitCode).toBe(0);
  for (const pid of [...before.values(), again]) expect(isProcessAlive(pid)).toBe(false);
});

test('processes end when their supervisor is killed, and the next start takes over its folder', async () => {
  up = await start();
  const children = childrenOf(up.pid);
  await up.kill();

  for (const name of parts.filter((part) => part !== 'postgres'))
    await eventually(() => (isProcessAlive(children.get(name)!) ? undefined : true));
  up = await start();

  expect(isProcessAlive(children.get('postgres')!)).toBe(false);
  expect((await fetch(`${up.url}/healthz`)).status).toBe(200);
  expect(existsSync(join(dataDir, 'logs', 'api.log'))).toBe(true);
});

test('a process that is stopped on request, or that only crashes, stays stopped until a start is requested', async () => {
  const database = await createTestDatabase();
  const store = await createStore({ url: database.url, logger: silentLogger, poolSize: 1 });
  try {
    const [port] = await findFreePorts(1);
    up = await start({
      VIGIL_DATABASE_URL: database.url,
      VIGIL_SIMULATOR_PORT: String(port),
      VIGIL_HOST_ID: 'node-1',
    });
    const { pid, url } = up;
    const env = {
      VIGIL_API_URL: url!,
      ...cloudEnv(`http://127.0.0.1:${port}`, 'admin', 'admin'),
    };
    const request = async (kind: string) => {
      const { stdout, stderr, exitCode } = await runVigil(['service', kind, 'watcher-applier', '--json'], env);
      return { exitCode, stderr, ...(JSON.parse(stdout) as { state: string }) };
    };
    const applier = () => childrenOf(pid).get('applier');
    /** The supervisor starts another killed process, and not the applier. */
    const staysAway = async (other: string) => {
      const before = childrenOf(pid).get(other);
      process.kill(before!, 'SIGKILL');
      await eventually(() => {
        const now = childrenOf(pid).get(other);
        return now !== undefined && now !== before ? now : undefined;
      });
      expect(applier()).toBeUndefined();
    };

    expect(await request('stop')).toMatchObject({ state: 'OK', exitCode: 0 });
    await staysAway('scheduler');
    expect(await request('start')).toMatchObject({ state: 'OK', exitCode: 0 });

    const registration = { srcKind: 'Host', srcId: 'node-1', rel: 'has', dstKind: 'ServiceName' } as const;
    await store.db.registry.link({
      ...registration,
      dstId: 'watcher-applier@node-1',
      attributes: { degraded: true },
    });
    process.kill(applier()!, 'SIGKILL');
    await staysAway('coordinator');
    expect(await request('start')).toMatchObject({ state: 'OK', exitCode: 0 });
    expect(applier()).toBeDefined();
  } finally {
    await up?.stop();
    up = undefined;
    await store.close();
    await database.drop();
  }
});
