import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createStore, type Store } from '#libs/store';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { startVigil, type VigilProcess } from './vigil-process.ts';

/** Longer than the interval after which the coordinator's loop counts as late. */
const frozenMs = 9_000;
/** Longer than the lease of a process, which lapses before the watchdog acts. */
const watchdogSeconds = 40;
const patience = { timeout: 240_000, interval: 250 };

let dataDir: string;
let database: TestDatabase;
let store: Store;
let up: VigilProcess;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vigil-slow-'));
  chmodSync(dataDir, 0o755);
  database = await createTestDatabase();
  store = await createStore({ url: database.url, logger: silentLogger, poolSize: 1 });
  up = await startVigil(['up'], {
    VIGIL_DATABASE_URL: database.url,
    VIGIL_DATA_DIR: dataDir,
    VIGIL_HOST_ID: 'node-1',
    VIGIL_PORT: '0',
    VIGIL_SIMULATOR_PORT: '0',
    VIGIL_SIMULATOR_GENERATE: 'hosts=3,instances=9',
    VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
    VIGIL_COORDINATOR_POLL_SECONDS: '1',
    VIGIL_WATCHDOG_SECONDS: String(watchdogSeconds),
    // A plugin with an endless loop that a signal starts.
    NODE_OPTIONS: "--import=data:text/javascript,process.on('SIGUSR2',()=>{for(;;);})",
  });
});
afterAll(async () => {
  await up?.stop();
  await store?.close();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Pids of the registered processes, by the name of the service. */
async function processes(): Promise<Record<string, number>> {
  const live = await store.db.registry.listInstances({ liveOnly: true });
  return Object.fromEntries(live.map(({ serviceName, pid }) => [serviceName, pid]));
}
const eventsOf = async (...types: string[]) =>
  (await store.db.registry.listEvents({ limit: 500 })).filter(({ type }) => types.includes(type));
const ends = ['service.lost', 'service.stopping', 'service.failed', 'service.uncaught_exception'];
const stateOf = (pid: number) => execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim();

test('processes that a machine freezes together with the coordinator continue, and one event says so', async () => {
  const before = await processes();
  const frozen = ['recovery-coordinator', 'watcher-applier', 'watcher-decision-engine', 'scheduler'];
  const pids = frozen.map((name) => before[name] as number);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await vi.waitFor(() => expect(pids.map(stateOf).every((state) => state.startsWith('T'))).toBe(true), patience);
  await pause(frozenMs);
  // As after a freeze of minutes.
  for (const { instanceId } of await store.db.registry.listInstances({ liveOnly: true }))
    await store.db.registry.beat(instanceId, -1);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  const renewed = async () => (await store.db.registry.expiringInstances(0)).map(({ serviceName }) => serviceName);
  await vi.waitFor(async () => expect(await renewed()).toEqual([]), patience);
  await vi.waitFor(async () => expect(await eventsOf('host.slow')).toHaveLength(1), patience);
  expect(await processes()).toEqual(before);
  expect(await eventsOf(...ends)).toEqual([]);
  // The freeze starts between two runs of the coordinator's loop, or within a query of a run.
  const [slow] = await eventsOf('host.slow');
  const late = slow?.doc.late as { coordinator?: string; database?: string } | undefined;
  expect([slow?.host, late?.coordinator ?? late?.database]).toEqual([
    'node-1',
    expect.stringMatching(/its loop was|a query took/),
  ]);
});

test('a process whose event loop is blocked ends itself and is replaced', async () => {
  const before = await processes();
  process.kill(before.scheduler as number, 'SIGUSR2');
  await vi.waitFor(async () => expect(await eventsOf('service.lost')).toHaveLength(1), patience);
  await vi.waitFor(async () => {
    const now = await processes();
    expect(now.scheduler).toBeDefined();
    expect(now.scheduler).not.toBe(before.scheduler);
  }, patience);
  const { scheduler: _blocked, ...others } = before;
  expect(await processes()).toMatchObject(others);
  expect(readFileSync(join(dataDir, 'logs', 'scheduler.log'), 'utf8')).toContain('event loop blocked for');
  expect(await eventsOf('host.slow')).toHaveLength(1);
});
