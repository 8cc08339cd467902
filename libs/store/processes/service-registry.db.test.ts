import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { insertPlanWorld, useStore } from '#tests';
import { lockName } from './name-lock.ts';

const { store, url } = await useStore();

const enlist = (
  serviceName: string,
  host: string,
  ttlMs = 600_000,
  config: Record<string, string> = { VIGIL_X: '1' },
  configHash = 'abc',
  instanceId: string = randomUUID(),
) =>
  store.db.registry.enlist({
    instanceId,
    serviceType: 'watcher-applier',
    serviceName,
    host,
    pid: 1,
    version: '1.0.0',
    config,
    configHash,
    ttlMs,
  });
const statusOf = async (host: string) => (await store.db.registry.matrix()).find((row) => row.host === host)?.status;
const eventsOf = async (instanceId: string) =>
  (await store.db.registry.listEvents({ limit: 100 }))
    .filter((event) => event.instanceId === instanceId)
    .map((event) => event.type)
    .reverse();

test('a service that stopped normally is removed with its last process; a lost or restarting one is not', async () => {
  const { registry, services } = store.db;
  const listed = async () => (await services.list()).filter(({ host }) => host.startsWith('pod-')).map(({ id }) => id);
  const start = async (host: string, serviceName = 'watcher-applier') => {
    const { instanceId } = await enlist(serviceName, host);
    await registry.transition(instanceId, 'started');
    await services.beat('watcher-applier', host);
    return instanceId;
  };
  const end = async (instanceId: string) => {
    await registry.transition(instanceId, 'stop', { reason: 'SIGTERM' });
    await registry.transition(instanceId, 'stopped');
  };

  const [first, second] = [await start('pod-a'), await start('pod-a', 'watcher-applier#2')];
  const [id] = await listed();
  await end(first);
  expect(await listed()).toEqual([id]);
  await end(second);
  expect(await listed()).toEqual([]);

  const third = await start('pod-a');
  expect(await listed()).toEqual([id]);
  const target = { serviceName: 'watcher-applier', host: 'pod-a' };
  await registry.request({ ...target, id: randomUUID(), kind: 'restart', requestedBy: 'test', timeoutMs: 30_000 });
  await end(third);
  expect(await listed()).toEqual([id]);

  await registry.transition(await start('pod-b'), 'lose', { reason: 'node is gone' });
  expect(await listed()).toHaveLength(2);
});

test('desired and observed state: each of the four cells', async () => {
  const { registry } = store.db;
  const { instanceId } = await enlist('watcher-applier', 'cells');
  expect(await statusOf('cells')).toBe('Running');
  await registry.transition(instanceId, 'started');
  await registry.transition(instanceId, 'stop', { reason: 'SIGTERM' });
  expect(await statusOf('cells')).toBe('StillRunning');
  await registry.transition(instanceId, 'stopped');
  expect(await statusOf('cells')).toBe('NotRunning');
  const next = await enlist('watcher-applier', 'cells', -1);
  expect(await statusOf('cells')).toBe('Failed');
  await registry.beat(next.instanceId, 600_000);
  for (let count = 1; count <= 3; count += 1) expect(await registry.countCheck(next.instanceId, false)).toBe(count);
  expect(await statusOf('cells')).toBe('Running');
  expect(await registry.countCheck(next.instanceId, true)).toBe(0);
  expect(await eventsOf(instanceId)).toEqual([
    'service.starting',
    'service.started',
    'service.stopping',
    'service.stopped',
  ]);
  await expect(registry.transition(instanceId, 'started')).rejects.toMatchObject({ currentState: 'STOPPED' });
});

test('a successor ends its predecessor, which then cannot renew its lease', async () => {
  const first = await enlist('watcher-applier', 'successor');
  const second = await enlist('watcher-applier', 'successor');
  expect(await store.db.registry.beat(first.instanceId, 600_000)).toBeNull();
  expect(await store.db.registry.beat(second.instanceId, 600_000)).toMatchObject({ acceptsWork: true, request: null });
  expect(await eventsOf(first.instanceId)).toEqual(['service.starting', 'service.lost']);
  await expect(store.db.registry.transition(first.instanceId, 'return')).rejects.toMatchObject({
    code: 'already_exists',
  });
});

test.each([
  ['while it is listed', false],
  ['after it was taken off the list', true],
])('a process whose start was interrupted registers again with its id, %s', async (_when, hasLeft) => {
  const host = `again ${hasLeft}`;
  const { registry } = store.db;
  const { instanceId } = await enlist('watcher-applier', host);
  if (hasLeft) await registry.transition(instanceId, 'lose', { reason: 'its start was interrupted' });
  const again = await enlist('watcher-applier', host, 600_000, {}, 'abc', instanceId);
  expect(again).toMatchObject({ instanceId, state: 'STARTING', isAlive: true, endedAt: null, endReason: null });
  expect((await eventsOf(instanceId)).filter((type) => type === 'service.lost')).toHaveLength(hasLeft ? 1 : 0);
  expect(await registry.transition(instanceId, 'started')).toMatchObject({ state: 'STARTED' });
});

test('one of several processes gets a name, and its end frees it immediately', async () => {
  const settings = { url, logger: silentLogger, applicationName: 'vigil-test-lock' };
  const locks = await Promise.all([1, 2, 3].map(() => lockName(settings, ['only@here'])));
  const held = locks.filter((lock) => lock !== null);
  expect(held).toHaveLength(1);
  const numbered = await lockName(settings, ['only@here', 'only#2@here']);
  expect(numbered?.name).toBe('only#2@here');
  await held[0]?.release();
  const next = await lockName(settings, ['only@here']);
  expect(next?.name).toBe('only@here');
  expect(await next?.confirm()).toBe(true);
  await Promise.all([numbered?.release(), next?.release()]);
});

test('requests for one target cancel each other and have one result', async () => {
  const { registry } = store.db;
  const { instanceId } = await enlist('watcher-applier', 'requests');
  await registry.transition(instanceId, 'started');
  const request = (kind: 'stop' | 'restart', timeoutMs = 600_000) =>
    registry.request({
      id: randomUUID(),
      kind,
      serviceName: 'watcher-applier',
      host: 'requests',
      requestedBy: 'test',
      timeoutMs,
    });
  const stop = await request('stop');
  expect((await request('stop')).id).toBe(stop.id);
  const restart = await request('restart');
  expect(await registry.findRequest(stop.id)).toMatchObject({ state: 'CANCELLED' });
  expect((await registry.beat(instanceId, 600_000))?.request?.id).toBe(restart.id);
  await registry.transition(instanceId, 'stop');
  expect(await statusOf('requests')).toBe('Running');
  await registry.transition(instanceId, 'stopped');
  const next = await enlist('watcher-applier', 'requests');
  await registry.transition(next.instanceId, 'started');
  expect(await registry.findRequest(restart.id)).toMatchObject({ state: 'OK' });
  const late = await request('stop', -1);
  await registry.endLateRequests();
  expect(await registry.findRequest(late.id)).toMatchObject({ state: 'TIMED_OUT' });
});

test('an ended request no longer changes', async () => {
  const { registry } = store.db;
  const request = (kind: 'stop' | 'start' | 'restart', timeoutMs: number) =>
    registry.request({
      id: randomUUID(),
      kind,
      serviceName: 'watcher-applier',
      host: 'ended',
      requestedBy: 'test',
      timeoutMs,
    });
  const { instanceId } = await enlist('watcher-applier', 'ended');
  await registry.transition(instanceId, 'started');
  // Each is late from the start, so that the next one, or a search for late ones, would end it if possible.
  const done = await request('start', -1);
  const late = await request('restart', -1);
  await request('stop', 600_000);
  const cancelled = await request('restart', 600_000);
  const stop = await request('stop', 600_000);
  await registry.transition(instanceId, 'stop');
  await registry.transition(instanceId, 'stopped');
  const after = await enlist('watcher-applier', 'ended');
  await registry.transition(after.instanceId, 'started');
  await registry.endLateRequests();

  const stateOf = async ({ id }: { id: string }) => (await registry.findRequest(id))?.state;
  expect(await Promise.all([done, late, cancelled, stop].map(stateOf))).toEqual(['OK', 'TIMED_OUT', 'CANCELLED', 'OK']);
  expect(await registry.findRequest(late.id)).toMatchObject({
    reason: 'unchanged: nothing was done within the time limit',
    endedAt: expect.any(Date),
  });
});

test('a stop of an ended process and a start of a running one end immediately; the last request is known', async () => {
  const { registry } = store.db;
  const request = (kind: 'stop' | 'start') =>
    registry.request({
      id: randomUUID(),
      kind,
      serviceName: 'watcher-applier',
      host: 'at-once',
      requestedBy: 'test',
      timeoutMs: 600_000,
    });
  const newest = async () => (await registry.newestRequest('watcher-applier', 'at-once'))?.kind ?? null;
  const { instanceId } = await enlist('watcher-applier', 'at-once');
  await registry.transition(instanceId, 'started');
  expect(await request('start')).toMatchObject({ state: 'OK', reason: 'it runs already' });
  const stop = await request('stop');
  expect(stop.state).toBe('PENDING');
  expect(await newest()).toBe('stop');
  await registry.transition(instanceId, 'stop');
  const start = await request('start');
  expect(start.state).toBe('PENDING');
  expect(await registry.findRequest(stop.id)).toMatchObject({ state: 'CANCELLED' });
  await registry.transition(instanceId, 'stopped');
  expect(await request('stop')).toMatchObject({ state: 'OK', reason: 'it does not run' });
  expect(await statusOf('at-once')).toBe('NotRunning');
  await enlist('watcher-applier', 'at-once');
  expect(await newest()).toBeNull();
});

test('another configuration and collectors that end with their process are reported', async () => {
  const { registry } = store.db;
  const first = await enlist('watcher-decision-engine', 'told');
  const owns = { srcKind: 'ServiceInstance', srcId: first.instanceId, rel: 'owns', dstKind: 'Collector' } as const;
  await registry.link({ ...owns, dstId: 'compute' });
  await registry.transition(first.instanceId, 'lose');
  expect(await eventsOf(first.instanceId)).toEqual(['service.starting', 'service.lost', 'service.resource_released']);
  const same = await enlist('watcher-decision-engine', 'told');
  expect(await eventsOf(same.instanceId)).toEqual(['service.starting']);
  const other = await enlist('watcher-decision-engine', 'told', 600_000, { VIGIL_X: '2' }, 'def');
  const [event] = await registry.listEvents({ limit: 1 });
  expect(event).toMatchObject({
    type: 'service.config_changed',
    instanceId: other.instanceId,
    doc: { from: 'abc', to: 'def', changed: ['VIGIL_X'] },
  });
});

test('the graph shows the holder of a plan, and an incompatible process gets no plan', async () => {
  const { plan } = await insertPlanWorld(store.db, { plan: () => ({ state: 'PENDING', launchSeq: 1 }) });
  const { instanceId } = await enlist('watcher-applier', 'owner');
  const lease = { instance: instanceId, host: 'owner', ttlMs: 600_000 };
  await store.db.registry.setAcceptsWork(instanceId, false);
  expect(await store.db.actionPlans.claim(plan.uuid, lease)).toBeNull();
  await store.db.registry.setAcceptsWork(instanceId, true);
  const claimed = await store.db.actionPlans.claim(plan.uuid, lease);
  const owned = { srcKind: 'ServiceInstance', srcId: instanceId, rel: 'owns' } as const;
  expect(await store.db.registry.edges(owned)).toMatchObject([{ dstKind: 'Plan', dstId: plan.uuid }]);
  expect(await store.db.registry.ownedWork(instanceId)).toMatchObject([{ uuid: plan.uuid, leaseExpired: false }]);
  const changes = await store.changes.read({ epoch: 1, revno: 0 }, 1000);
  expect(changes.filter(({ kind }) => kind === 'graph_edge').at(-1)).toMatchObject({ op: 'create' });
  await store.db.actionPlans.releaseLease(plan.uuid, claimed?.fence ?? 0);
  expect(await store.db.registry.edges(owned)).toEqual([]);
});

test('old ended entries and unseen services are removed; one that returns gets its row again', async () => {
  const { services, registry, recovery } = store.db;
  const { instanceId } = await enlist('watcher-applier', 'forgotten');
  await registry.transition(instanceId, 'lose');
  const alive = await enlist('watcher-applier', 'kept');
  await services.beat('watcher-applier', 'forgotten');
  const before = (await services.list()).find(({ host }) => host === 'forgotten');
  const listed = (await services.list()).length;
  expect(await recovery.prune(3600)).toBe(0);
  expect(await services.list()).toHaveLength(listed);

  await recovery.prune(-3600);
  expect(await registry.findInstance(instanceId)).toBeNull();
  expect(await registry.findInstance(alive.instanceId)).toMatchObject({ host: 'kept' });
  expect(await services.list()).toEqual([]);
  expect(await services.find(String(before?.id), { showDeleted: true })).toMatchObject({ deletedAt: expect.any(Date) });
  await services.beat('watcher-applier', 'forgotten');
  expect(await services.list()).toMatchObject([{ id: before?.id, host: 'forgotten' }]);

  await recovery.prune(-3600);
  await recovery.prune(-3600);
  expect(await services.find(String(before?.id), { showDeleted: true })).toBeNull();
});
