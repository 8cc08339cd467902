import { afterAll, afterEach, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { newUuid } from '#libs/service-kit';
import { createStore, type Store } from '#libs/store';
import { useDatabase } from '#tests';
import { createTaskCatalogue, type TaskDefinition } from './catalogue/task-definition.ts';
import { SingleFlightTimeoutError, TaskFailedError } from './errors.ts';
import { createTaskRequests } from './task-requests.ts';
import type { TaskHandlers } from './worker/task-run.ts';
import { startTaskWorker, type TaskWorker } from './worker/task-worker.ts';

const anything = { type: 'object', properties: { n: { type: 'integer' }, note: {} }, additionalProperties: false };
const base = { description: '', argumentsSchema: anything, queue: 'generic', timeoutSeconds: 60 } as const;
const definitions: TaskDefinition[] = [
  { ...base, name: 'free', singleFlight: { mode: 'none' } },
  { ...base, name: 'snapshot', singleFlight: { mode: 'exclusive', extraNames: ['clean', 'free'] } },
  { ...base, name: 'clean', singleFlight: { mode: 'deduped' } },
  { ...base, name: 'annotated', singleFlight: { mode: 'deduped', ignoredArguments: ['note'] } },
  { ...base, name: 'on-host', queue: 'host', singleFlight: { mode: 'none' } },
];

const workers: TaskWorker[] = [];
const by = { createdBy: 'test' };

const { url, sql } = await useDatabase();
const stores = await Promise.all([1, 2, 3].map(() => createStore({ url, logger: silentLogger })));
const store = stores[0] as Store;
const requests = createTaskRequests({ store, catalogue: createTaskCatalogue(definitions), newUuid });
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await sql.query('DELETE FROM tasks');
});
afterAll(async () => {
  await Promise.all(stores.map((opened) => opened.close()));
});

/** Three workers on separate connections, as three processes would be. */
async function startWorkers(handlers: TaskHandlers, concurrency = 5): Promise<void> {
  for (const [index, own] of stores.entries()) {
    const deps = { store: own, handlers, instanceId: newUuid(), host: `h${index}`, logger: silentLogger };
    const queues = [
      { name: 'generic', concurrency },
      { name: `host.h${index}`, concurrency },
    ];
    workers.push(await startTaskWorker({ ...deps, random: () => 0.5 }, { queues, pollMs: 100 }));
  }
}

/** A handler that notes which runs overlap. None ends before `mayEnd`. */
function observe(milliseconds: number, mayEnd: Promise<void> = Promise.resolve()) {
  const seen: { n: unknown; overlapped: unknown[] }[] = [];
  const now = new Set<unknown>();
  const run = async (args: { n?: unknown }) => {
    seen.push({ n: args.n, overlapped: [...now] });
    const mark = { n: args.n };
    now.add(mark);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    await mayEnd;
    now.delete(mark);
    return { n: (args.n ?? null) as number | null };
  };
  return { seen, run };
}

async function allEnded(): Promise<void> {
  await expect
    .poll(async () => (await sql.query(`SELECT 1 FROM tasks WHERE state NOT IN ('SUCCEEDED', 'FAILED')`)).rowCount)
    .toBe(0);
}

test('none: all run; the outcome is stored and shown to waiting callers', async () => {
  const free = observe(50);
  await startWorkers({ free: ({ args }) => free.run(args) });
  const outcomes = await Promise.all([1, 1, 1].map((n) => requests.run('free', { n }, by)));
  expect(outcomes.map(({ result, coalesced }) => ({ result, coalesced }))).toEqual(
    Array(3).fill({ result: { n: 1 }, coalesced: false }),
  );
});

test('deduped: of 40 concurrent requests one runs and one waits; other arguments run in parallel', async () => {
  const first = await requests.enqueue('clean', { n: 1 }, by);
  const lease = { instance: 'i', host: 'h', ttlMs: 600_000 };
  const running = await store.db.tasks.claim('generic', ['clean'], lease);
  expect(running?.uuid).toBe(first.uuid);

  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (stores[index % 3] as Store).transaction((unit) => requests.enqueue('clean', { n: 1 }, by, unit)),
    ),
  );
  expect(responses.filter(({ coalesced }) => !coalesced)).toHaveLength(1);
  expect(new Set(responses.map(({ uuid }) => uuid)).size).toBe(1);
  expect(responses[0]?.uuid).not.toBe(first.uuid);
  expect(await store.db.tasks.claim('generic', ['clean'], lease)).toBeNull();
  await requests.enqueue('clean', { n: 2 }, by);
  expect(await store.db.tasks.claim('generic', ['clean'], lease)).toMatchObject({ args: { n: 2 } });

  await store.db.tasks.succeed(first.uuid, running?.fence ?? 0, null);
  expect(await store.db.tasks.claim('generic', ['clean'], lease)).toMatchObject({ uuid: responses[0]?.uuid });
});

test('deduped under load: never two with the same arguments', async () => {
  let release: () => void = () => undefined;
  const allAsked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const clean = observe(20, allAsked);
  await startWorkers({ clean: ({ args }) => clean.run(args) });
  const requested = Array.from({ length: 12 }, (_, n) => n);
  await Promise.all(requested.flatMap((n) => [1, 2, 3].map(() => requests.enqueue('clean', { n: n % 3 }, by))));
  release();
  await allEnded();

  for (const { n, overlapped } of clean.seen) expect(overlapped).not.toContainEqual({ n });
  // Of each kind one ran and one waited while the 36 requests came.
  expect(clean.seen.length).toBeLessThanOrEqual(6);
  expect(await store.db.tasks.list({ state: 'FAILED' })).toEqual([]);
});

test('deduped: ignored arguments do not distinguish requests', async () => {
  const [a, b] = [
    await requests.enqueue('annotated', { n: 1, note: 'a' }, by),
    await requests.enqueue('annotated', { note: 'b', n: 1 }, by),
  ];
  expect(b).toEqual({ uuid: a.uuid, coalesced: true });
});

test('exclusive: of many requests for it and for its extra names, it is alone', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (stores[n % 3] as Store).transaction((unit) => requests.enqueue('snapshot', { n }, by, unit)),
    ),
  );
  expect(new Set(responses.map(({ uuid }) => uuid)).size).toBe(1);
  expect(responses.filter(({ coalesced }) => !coalesced)).toHaveLength(1);

  const both = observe(30);
  await requests.enqueue('clean', { n: 1 }, by);
  await requests.enqueue('free', { n: 1 }, by);
  const handler = ({ args }: { args: object }) => both.run(args);
  await startWorkers({ snapshot: handler, clean: handler, free: handler });
  await allEnded();
  expect(both.seen[0]?.overlapped).toEqual([]);
  expect(both.seen[1]?.overlapped).toEqual([]);

  await workers[0]?.stop();
  const occupied = await requests.enqueue('clean', { n: 5 }, { ...by, runAfter: new Date(Date.now() + 60_000) });
  const result = await requests.run('snapshot', {}, { ...by, onCoalesced: async (uuid) => ({ instead: uuid }) });
  expect(result).toEqual({ uuid: occupied.uuid, coalesced: true, result: { instead: occupied.uuid } });
});

test('a caller that waits too long for the slot fails with single_flight_timeout', async () => {
  await requests.enqueue('clean', { n: 1 }, by);
  const held = await store.db.tasks.claim('generic', ['clean'], { instance: 'i', host: 'h', ttlMs: 600_000 });
  await startWorkers({ clean: async () => null });
  await expect(requests.run('clean', { n: 1 }, { ...by, singleTimeoutSeconds: 0 })).rejects.toThrow(
    SingleFlightTimeoutError,
  );
  expect(await store.db.tasks.list({ state: 'FAILED' })).toMatchObject([{ error: { code: 'single_flight_timeout' } }]);
  await store.db.tasks.fail(held?.uuid ?? '', held?.fence ?? 0, { code: 'x', message: 'broken' });
  const dead = await store.db.tasks.get(held?.uuid ?? '');
  expect(dead).toMatchObject({ state: 'FAILED', error: { code: 'x' } });
});

test('a dead task is run again once on request, and waiting callers get the reason of its death', async () => {
  let broken = true;
  await startWorkers({
    clean: async () => {
      if (broken) throw new Error('no such thing');
      return 'repaired';
    },
  });
  await expect(requests.run('clean', {}, by)).rejects.toThrow(TaskFailedError);
  const [dead] = await store.db.tasks.list({ state: 'FAILED' });
  expect(dead).toMatchObject({ attempts: 1, error: { code: 'unexpected', message: 'no such thing' } });
  broken = false;
  const again = await Promise.allSettled([1, 2, 3].map(() => store.db.tasks.redrive(dead?.uuid ?? '', 'ann')));
  expect(again.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
  await allEnded();
  expect(await store.db.tasks.get(dead?.uuid ?? '')).toMatchObject({
    state: 'SUCCEEDED',
    result: 'repaired',
    createdBy: 'test',
    redrivenBy: 'ann',
    error: null,
  });
  await expect(store.db.tasks.redrive(dead?.uuid ?? '', 'ann')).rejects.toMatchObject({ code: 'state_conflict' });
});

test('a task of a host runs there, and requests that do not fit are refused with the field', async () => {
  await startWorkers({ 'on-host': async () => null });
  const { uuid } = await requests.run('on-host', {}, { ...by, host: 'h1' });
  expect(await store.db.tasks.get(uuid)).toMatchObject({ hostname: 'h1', queue: 'host.h1', createdBy: 'test' });
  await expect(requests.enqueue('on-host', {}, by)).rejects.toMatchObject({ field: 'host' });
  await expect(requests.enqueue('free', {}, { ...by, host: 'h1' })).rejects.toMatchObject({ field: 'host' });
  await expect(requests.enqueue('free', { n: 'x' }, by)).rejects.toThrow('args.n: must be integer');
  await expect(requests.enqueue('free', { m: 1 }, by)).rejects.toThrow('args: must NOT have additional properties (m)');
  await expect(requests.enqueue('nothing', {}, by)).rejects.toMatchObject({ code: 'not_found' });
  const changes = await sql.query(`SELECT DISTINCT op FROM change_log WHERE kind = 'task' AND entity_uuid = $1`, [
    uuid,
  ]);
  expect(changes.rows.map(({ op }) => op).sort()).toEqual(['create', 'update']);
});
