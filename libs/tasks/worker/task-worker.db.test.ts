import { spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { newUuid } from '#libs/service-kit';
import { useStore } from '#tests';
import { createTaskCatalogue } from '../catalogue/task-definition.ts';
import { TransientTaskError } from '../errors.ts';
import { createTaskRequests } from '../task-requests.ts';
import { retryDelayMs } from './run-task.ts';
import type { TaskHandlers } from './task-run.ts';
import { startTaskWorker, type TaskWorker } from './task-worker.ts';

const workers: TaskWorker[] = [];
const by = { createdBy: 'test' };
const define = (name: string, more: object = {}) => ({
  name,
  description: '',
  argumentsSchema: { type: 'object' },
  queue: 'generic' as const,
  singleFlight: { mode: 'deduped' as const },
  timeoutSeconds: 60,
  ...more,
});

const { store, url, sql } = await useStore();
const catalogue = createTaskCatalogue([
  define('work'),
  define('short', { timeoutSeconds: 1 }),
  define('twice', { maxAttempts: 2 }),
]);
const requests = createTaskRequests({ store, catalogue, newUuid });
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await sql.query('DELETE FROM tasks');
});

async function startWorker(handlers: TaskHandlers, options: { concurrency?: number; isOpen?: () => boolean } = {}) {
  const { concurrency = 2, isOpen } = options;
  const deps = { store, handlers, instanceId: newUuid(), host: 'h', logger: silentLogger, random: () => 0.5 };
  const worker = await startTaskWorker(deps, {
    queues: [{ name: 'generic', concurrency, isOpen }],
    pollMs: 100,
    leaseMs: 600_000,
    graceMs: 200,
  });
  workers.push(worker);
  return worker;
}

function until(uuid: string, state: string) {
  return expect.poll(async () => (await store.db.tasks.get(uuid)).state).toBe(state);
}

test('only transient errors are tried again, with a growing pause, and only so often', async () => {
  // The worker pauses after each attempt, so that no pause runs out before it has been checked.
  let isOpen = true;
  const handlers: TaskHandlers = {
    work: async () => Promise.reject(new TypeError('a bug')),
    twice: async () => {
      isOpen = false;
      throw new TransientTaskError('the cloud is unavailable');
    },
  };
  await startWorker(handlers, { isOpen: () => isOpen });
  const bug = await requests.enqueue('work', {}, by);
  await until(bug.uuid, 'FAILED');
  const away = await requests.enqueue('twice', {}, by);
  await until(away.uuid, 'RETRYING');
  const waiting = await store.db.tasks.get(away.uuid);
  expect(waiting).toMatchObject({
    attempts: 1,
    error: { code: 'task_transient', message: 'the cloud is unavailable' },
  });
  const { rows } = await sql.query(
    `SELECT extract(epoch FROM run_after - updated_at)::float8 AS pause FROM tasks WHERE uuid = $1`,
    [away.uuid],
  );
  expect(rows[0].pause).toBeCloseTo(5, 1);

  // It keeps its slot while it waits.
  const next = await requests.enqueue('twice', {}, by);
  expect(next.coalesced).toBe(false);
  await sql.query('UPDATE tasks SET run_after = now() WHERE uuid = $1', [away.uuid]);
  isOpen = true;
  await until(away.uuid, 'FAILED');
  isOpen = true;
  await until(next.uuid, 'RETRYING');
  expect((await store.db.tasks.get(away.uuid)).attempts).toBe(2);
});

test('the pause doubles from 5 s to 10 min and varies', () => {
  expect([1, 2, 3, 7, 8, 50].map((attempt) => retryDelayMs(attempt, () => 0.5))).toEqual([
    5_000, 10_000, 20_000, 320_000, 600_000, 600_000,
  ]);
  expect([retryDelayMs(1, () => 0), retryDelayMs(1, () => 0.999_999)]).toEqual([4_000, 6_000]);
});

test('progress is visible while a task runs', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await startWorker({
    work: async ({ progress }) => {
      await progress(40, 'half way');
      await released;
      return null;
    },
  });
  const { uuid } = await requests.enqueue('work', {}, by);
  await expect
    .poll(async () => (await store.db.tasks.get(uuid)).progress)
    .toEqual({ percent: 40, message: 'half way' });
  expect((await store.db.tasks.get(uuid)).state).toBe('RUNNING');
  release();
  await until(uuid, 'SUCCEEDED');
});

test('a task that runs too long gets a stop signal and fails', async () => {
  await startWorker({
    short: async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signal.throwIfAborted();
      return null;
    },
  });
  const { uuid } = await requests.enqueue('short', {}, by);
  await until(uuid, 'FAILED');
  expect(await store.db.tasks.get(uuid)).toMatchObject({ error: { code: 'task_timeout' }, attempts: 1 });
});

test('a worker takes no more tasks than it has places, and gives back unfinished ones', async () => {
  let running = 0;
  let peak = 0;
  const first = await startWorker({
    work: async ({ signal }) => {
      running += 1;
      peak = Math.max(peak, running);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      running -= 1;
      throw new Error('interrupted');
    },
  });
  const requested = await Promise.all([1, 2, 3, 4].map((n) => requests.enqueue('work', { n }, by)));
  await expect.poll(() => running).toBe(2);
  const states = (await store.db.tasks.list()).map(({ state }) => state).sort();
  expect(states).toEqual(['QUEUED', 'QUEUED', 'RUNNING', 'RUNNING']);
  await first.stop();
  expect(peak).toBe(2);
  await startWorker({ work: async ({ attempt }) => attempt });
  for (const { uuid } of requested) await until(uuid, 'SUCCEEDED');
  expect((await store.db.tasks.list()).map(({ result }) => result)).toEqual([1, 1, 1, 1]);
});

/** Claims the oldest task in its own process and never ends it. */
async function claimAndDie(): Promise<void> {
  const script = `
    import { createStore } from '#libs/store';
    const silent = { debug() {}, info() {}, warn() {}, error() {}, child() { return silent; } };
    const store = await createStore({ url: process.argv[1], logger: silent });
    const task = await store.db.tasks.claim('generic', ['work', 'twice'], { instance: 'x', host: 'h', ttlMs: 600_000 });
    process.stdout.write(task.uuid);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

test('after kill -9 of its worker a task and those that wait for its slot continue as soon as the lease is over', async () => {
  const crashed = await requests.enqueue('work', { n: 1 }, by);
  await claimAndDie();
  const waiting = await requests.enqueue('work', { n: 1 }, by);
  const other = await requests.enqueue('work', { n: 2 }, by);
  await startWorker({ work: async ({ attempt }) => attempt });
  await until(other.uuid, 'SUCCEEDED');
  expect(await store.db.tasks.get(crashed.uuid)).toMatchObject({ state: 'RUNNING', attempts: 1 });
  expect(await store.db.tasks.get(waiting.uuid)).toMatchObject({ state: 'QUEUED' });
  await sql.query(`UPDATE tasks SET lease_expires_at = now() WHERE uuid = $1`, [crashed.uuid]);
  await until(waiting.uuid, 'SUCCEEDED');
  expect(await store.db.tasks.get(crashed.uuid)).toMatchObject({ state: 'SUCCEEDED', result: 2 });
});

test('a task that keeps losing its workers is dead after its attempts', async () => {
  const { uuid } = await requests.enqueue('twice', {}, by);
  const lease = { instance: 'x', host: 'h', ttlMs: 0 };
  const first = await store.db.tasks.claim('generic', ['twice'], lease);
  const second = await store.db.tasks.claim('generic', ['twice'], lease);
  expect([first?.uuid, second?.uuid]).toEqual([uuid, uuid]);
  await expect(store.db.tasks.succeed(uuid, first?.fence ?? 0, null)).rejects.toMatchObject({ code: 'lease_lost' });
  expect(await store.db.tasks.claim('generic', ['twice'], lease)).toBeNull();
  expect(await store.db.tasks.sweep()).toEqual({ lost: 1, timedOut: 0 });
  expect(await store.db.tasks.get(uuid)).toMatchObject({ state: 'FAILED', error: { code: 'worker_lost' } });
});
