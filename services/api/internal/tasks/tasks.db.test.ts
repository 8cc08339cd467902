import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { internalVersion } from '#libs/client';
import { fault, seedCatalogue, useTestApi } from '../../testing/test-api.ts';

const headers = { 'X-Vigil-Internal-Version': internalVersion };
const api = await useTestApi();

const post = (path: string, body?: object, more = {}) =>
  api.send('POST', `/internal${path}`, body, { ...headers, ...more });

it('returns 202 with the location of the task, and the same task while it waits', async () => {
  const response = await post('/tasks', { name: 'purge', args: { dry_run: true } }, { 'X-User-Id': 'ann' });
  expect(response.statusCode, response.body).toBe(202);
  const { uuid } = response.json<{ uuid: string }>();
  expect(response.headers.location).toBe(`/internal/tasks/${uuid}`);
  const again = await post('/tasks', { name: 'purge' });
  expect(again.json()).toMatchObject({ uuid, coalesced: true, args: { dry_run: true } });
  const shown = await api.get(`/internal/tasks/${uuid}`, headers);
  expect(shown.json()).toMatchObject({ uuid, name: 'purge', state: 'QUEUED', created_by: 'ann', queue: 'masters' });
});

it('lists dead tasks and runs one again', async () => {
  const { uuid } = (await post('/tasks', { name: 'prune-tasks' })).json<{ uuid: string }>();
  expect(fault(await post(`/tasks/${uuid}/retry`))).toMatchObject({ status: 409 });
  const lease = { instance: 'i', host: 'h', ttlMs: 30_000 };
  const task = await api.store.db.tasks.claim('generic', ['prune-tasks'], lease);
  await api.store.db.tasks.fail(uuid, task?.fence ?? 0, { code: 'unexpected', message: 'broken' });
  const dead = (await api.get('/internal/tasks?state=failed', headers)).json();
  expect(dead).toMatchObject({ tasks: [{ uuid, error: { message: 'broken' }, host: 'h' }], next: null });
  const again = await post(`/tasks/${uuid}/retry`, undefined, { ...headers, 'X-User-Id': 'bob' });
  expect(again.statusCode).toBe(202);
  expect(again.json()).toMatchObject({
    uuid,
    coalesced: false,
    state: 'QUEUED',
    attempts: 0,
    error: null,
    redriven_by: 'bob',
  });
});

it.each([
  [{}, 400, 'name: is missing'],
  [{ name: 'nothing' }, 400, 'name: unknown task "nothing"'],
  [{ name: 'purge', when: 'now' }, 400, 'Unknown argument: "when". The task takes name, args, host'],
  [{ name: 'purge', args: { age_in_days: -1 } }, 400, 'args.age_in_days: must be >= 0'],
  [{ name: 'probe-worker' }, 400, 'host: this task needs a host'],
])('refuses %j', async (body, status, text) => {
  expect(fault(await post('/tasks', body))).toMatchObject({ status, text: expect.stringContaining(text) });
});

it('readers may read tasks, and only writers may request them', async () => {
  const asReader = { ...headers, 'X-Roles': 'reader' };
  expect((await api.get('/internal/tasks', asReader)).statusCode).toBe(403);
  expect((await post('/tasks', { name: 'purge' }, asReader)).statusCode).toBe(403);
});

it('shows continuous audits and loops of processes with the schedules', async () => {
  const { audits, registry } = api.store.db;
  const { dummyGoal } = await seedCatalogue(api.store);
  const common = { goalId: dummyGoal.id, strategyId: null };
  const nextRunTime = new Date('2026-01-01T00:00:00Z');
  const lastRunAt = new Date('2025-12-31T00:00:00Z');
  const audit = {
    ...common,
    uuid: randomUUID(),
    name: 'nightly',
    auditType: 'CONTINUOUS',
    interval: '0 3 * * *',
  } as const;
  await audits.insert({ ...audit, nextRunTime, lastRunAt });
  await audits.insert({ ...common, uuid: randomUUID(), name: 'once', auditType: 'ONESHOT' });
  const instanceId = randomUUID();
  const row = { instanceId, serviceType: 'scheduler', serviceName: 'scheduler', host: 'h', pid: 1, version: '1.0.0' };
  await registry.enlist({ ...row, config: {}, configHash: null, ttlMs: 60_000 });
  const loop = { name: 'outbox sweep', everyMs: 1000, tookMs: 5, ageMs: 3000, failures: 2, lastError: 'broker away' };
  await registry.noteLoops(instanceId, [{ ...loop, failures: 1 }]);
  await registry.noteLoops(instanceId, [loop]);
  const shown = (await api.get('/internal/tasks/schedules', headers)).json();
  expect(shown.audits).toMatchObject([
    { name: 'nightly', interval: '0 3 * * *', next_run_time: nextRunTime.toJSON(), last_run_at: lastRunAt.toJSON() },
  ]);
  expect(shown.loops).toMatchObject([
    { name: 'outbox sweep', service: 'scheduler', host: 'h', every_seconds: 1, failures: 2, last_error: 'broker away' },
  ]);
  expect(Date.now() - Date.parse(shown.loops[0].last_run_at)).toBeGreaterThan(2500);
  await registry.transition(instanceId, 'crash', { reason: 'boom' });
  expect((await api.get('/internal/tasks/schedules', headers)).json().loops).toEqual([]);
});
