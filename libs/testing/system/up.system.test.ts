import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isProcessAlive } from '#libs/service-kit';
import { startVigil, type VigilProcess } from './vigil-process.ts';

let dataDir: string;
let up: VigilProcess | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vigil-up-'));
});
afterEach(async () => {
  await up?.stop();
  up = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

function start(): Promise<VigilProcess> {
  return startVigil(['up'], {
    VIGIL_DATA_DIR: dataDir,
    VIGIL_PORT: '0',
    VIGIL_SIMULATOR_PORT: '0',
    VIGIL_SIMULATOR_GENERATE: 'hosts=3,instances=9',
    VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
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
  look: () => Value | undefined | Promise<Value | undefined>,
  timeoutMs = 30_000,
): Promise<Value> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() > until) throw new Error('did not happen in time');
    await new Promise((done) => setTimeout(done, 100));
  }
}

const parts = ['postgres', 'simulator', 'api', 'decision-engine', 'applier', 'scheduler', 'coordinator'];

test('brings everything up, starts a crashed process again, and leaves none behind on Ctrl-C', {
  timeout: 120_000,
}, async () => {
  up = await start();
  const before = childrenOf(up.pid);
  expect([...before.keys()].sort()).toEqual([...parts].sort());
  expect((await fetch(`${up.url}/readyz`)).status).toBe(200);

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

test('processes end by themselves when their supervisor is killed, and the next start takes over its folder', {
  timeout: 120_000,
}, async () => {
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
