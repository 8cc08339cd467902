import { expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { planLaunch } from '#libs/messaging';
import { createPostgresBus } from '#libs/messaging/postgres';
import { createMetrics, newUuid, readBuildVersion, systemClock } from '#libs/service-kit';
import { atEnd, useDatabase } from '#tests';
import { runCli } from '../../../cli/main.ts';
import { fault, useTestApi } from '../../testing/test-api.ts';
import { follow } from '../../testing/watch-client.ts';
import { createDeadLetterCount } from './routes.ts';

const version = { 'X-Vigil-Internal-Version': readBuildVersion() };

const { url: databaseUrl } = await useDatabase();
const bus = await createPostgresBus({ url: databaseUrl, logger: silentLogger, appId: 'test' });
const api = await useTestApi({ deadLetters: bus }, databaseUrl);
const url = await api.listen();
atEnd(() => bus.close());

it('lists, replays and discards dead letters, with audit log, metric and stream', async () => {
  const followed = follow(url, { kinds: ['dead_letters'] });
  await followed.until(() => followed.state.get('dead_letters bus')?.count === 0);
  let isBroken = true;
  const consumer = await bus.consume(
    planLaunch.type,
    async () => (isBroken ? { kind: 'dead', reason: 'broken' } : { kind: 'ack' }),
    { prefetch: 1 },
  );
  const body = () => ({ schema: 'plan.launch/1', plan_uuid: newUuid(), launch_seq: 1, requested_by: null });
  const timestamp = '2026-01-01T00:00:00.000Z';
  const envelope = () => ({ messageId: newUuid(), type: planLaunch.type, body: body(), attempt: 0, timestamp });
  expect(await bus.publish([envelope(), envelope()])).toEqual([true, true]);
  await followed.until(() => followed.state.get('dead_letters bus')?.count === 2);

  const listed = (await api.get('/internal/dead-letters?limit=1', version)).json();
  expect(listed).toMatchObject({ count: 2, dead_letters: [{ type: 'plan.launch', reason: 'broken', attempt: 0 }] });
  const { dead_letters: letters } = (await api.get('/internal/dead-letters', version)).json();
  const [first, second] = letters.map(({ id }: { id: string }) => id);
  isBroken = false;
  const redrive = (id: string) =>
    api.send('POST', `/internal/dead-letters/${id}/redrive`, undefined, { ...version, 'X-User-Name': 'ann' });
  expect((await redrive(first)).statusCode).toBe(204);
  expect(fault(await redrive(first))).toMatchObject({ status: 404 });
  const run = (args: string[]) => runCli(['--url', url, 'dead-letters', ...args], { env: {}, err: () => undefined });
  expect(await run(['discard', second])).toBe(0);
  expect(await run(['discard', second])).toBe(1);
  await followed.until(() => followed.state.get('dead_letters bus')?.count === 0);
  expect((await api.get('/metrics')).body).toMatch(/vigil_bus_dead_letters(?:\{.*\})? 0/);
  const entries = async () =>
    (await api.store.db.auditLog.list({ targetKind: 'dead_letter', limit: 10 })).map(
      ({ operation, target, status }) => [operation, target, status],
    );
  // They are written after the response.
  await expect.poll(entries, { timeout: 60_000 }).toContainEqual(['redrive_dead_letter', first, 204]);
  await consumer.stop();
  await followed.stop();
});

it('counts the background tasks that failed too, until one is run again', async () => {
  const { tasks, publishedStates } = api.store.db;
  const count = createDeadLetterCount({
    letters: bus,
    store: api.store,
    metrics: createMetrics('test'),
    clock: systemClock,
  });
  const reported = async () => {
    await count.measure();
    return (await publishedStates.list('dead_letters'))[0]?.doc.failed_tasks;
  };
  await expect.poll(reported, { timeout: 60_000 }).toBe(0);
  const { uuid } = (await api.send('POST', '/internal/tasks', { name: 'prune-tasks' }, version)).json();
  const task = await tasks.claim('generic', ['prune-tasks'], { instance: 'i', host: 'h', ttlMs: 3_600_000 });
  await tasks.fail(uuid, task?.fence ?? 0, { code: 'unexpected', message: 'broken' });
  await expect.poll(reported, { timeout: 60_000 }).toBe(1);
  expect((await api.send('POST', `/internal/tasks/${uuid}/retry`, undefined, version)).statusCode).toBe(202);
  await expect.poll(reported, { timeout: 60_000 }).toBe(0);
});

it('refuses without a bus', async () => {
  const lonely = await useTestApi();
  expect(fault(await lonely.get('/internal/dead-letters', version))).toMatchObject({ status: 503 });
});
