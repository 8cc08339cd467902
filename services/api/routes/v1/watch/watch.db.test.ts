import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { newUuid } from '#libs/service-kit';
import { runCli } from '../../../../cli/main.ts';
import { createPolicy } from '../../../auth/policy.ts';
import { at, fault, seedCatalogue, seedPlan, useTestApi } from '../../../testing/test-api.ts';
import { follow, type WatchedState } from '../../../testing/watch-client.ts';

let reportProgress: (body: { action_uuid: string; fraction: number }) => void;
const policy = createPolicy({ 'goal:get': 'role:admin or role:reader' });

const bus = {
  request: () => Promise.reject(new Error('nobody')),
  subscribe: async (_topic: string, handler: typeof reportProgress) => {
    reportProgress = handler;
    return { stop: async () => undefined };
  },
};
const api = await useTestApi({ policy, bus: bus as never, watch: { perUser: 3, maxWaitingBytes: 100_000 } });
const second = await useTestApi({}, api.databaseUrl);
const seed = await seedCatalogue(api.store);
const url = await api.listen();
const secondUrl = await second.listen();

const uuidsOf = (state: WatchedState, kind: string) =>
  [...state.keys()].filter((key) => key.startsWith(`${kind} `)).map((key) => key.split(' ')[1]);

async function shown(path: string): Promise<unknown> {
  return (await api.get(path, { ...at(7), host: new URL(url).host })).json();
}

/**
 * A plan has the form of GET, with progress, outcome, approval and number of comments. Only GET reads actions that a
 * limit left out.
 */
async function expectPlan(state: WatchedState, uuid: string): Promise<void> {
  const { progress, outcome, approval, comments, ...rest } = state.get(`action_plan ${uuid}`) ?? {};
  expect(rest).toEqual(await shown(`/v1/action_plans/${uuid}`));
  expect(await shown(`/v1/action_plans/${uuid}/outcome`)).toEqual({
    action_plan_uuid: uuid,
    ...(outcome as object),
    progress,
    cut: null,
  });
  expect(await shown(`/v1/action_plans/${uuid}/approval`)).toEqual({
    action_plan_uuid: uuid,
    state: rest.state,
    ...(approval as object),
  });
  expect((await shown(`/v1/action_plans/${uuid}/comments`)) as object).toHaveProperty('comments.length', comments);
  expect(progress).toMatchObject({ total: 2, ended: 0, percent: 0, by_state: { PENDING: 2 } });
}

it('sends the full state, then changes, as GET shows them', async () => {
  const { audit, plan, actions } = await seedPlan(api.store, seed);
  const followed = follow(url);
  await followed.until(() => followed.events.length > 0);
  expect(followed.events[0]).toMatchObject({ type: 'snapshot', begins: true, isComplete: true });
  await expectPlan(followed.state, plan.uuid);
  await api.store.db.actionPlans.transition(plan.uuid, 'start');
  await api.store.db.audits.softDelete(audit.uuid);
  await followed.until(() => !followed.state.has(`audit ${audit.uuid}`));
  expect(followed.state.get(`action_plan ${plan.uuid}`)).toMatchObject({ state: 'PENDING', audit_uuid: null });
  await expectPlan(followed.state, plan.uuid);
  await api.store.db.efficacyIndicators.insert({
    uuid: newUuid(),
    name: 'late',
    description: null,
    unit: null,
    value: 2,
    actionPlanId: plan.id,
  });
  const indicators = () =>
    followed.state.get(`action_plan ${plan.uuid}`)?.efficacy_indicators as { name: string }[] | undefined;
  await followed.until(() => indicators()?.some(({ name }) => name === 'late') === true);
  expect(followed.state.has(`action ${actions[0]?.uuid}`)).toBe(true);
  await followed.stop();
});

it('continues at another process, without entities that were created and removed in between', async () => {
  const first = follow(url, { kinds: ['goal'] });
  await first.until(() => first.events.length > 0);
  await first.stop();
  const goal = (name: string) =>
    api.store.db.goals.insert({
      uuid: newUuid(),
      name,
      displayName: name,
      efficacySpecification: [],
    });
  const gone = await goal('gone');
  await api.store.db.goals.softDelete(gone.uuid);
  const stays = await goal('stays');
  const other = follow(secondUrl, { kinds: ['goal'], since: first.position() });
  await other.until(() => other.events.length > 0);
  expect(other.events).toMatchObject([{ type: 'deltas', begins: false, isComplete: true }]);
  expect(other.events[0]?.deltas).toMatchObject([['goal', 'change', { uuid: stays.uuid }]]);
  await api.store.db.goals.softDelete(stays.uuid);
  await other.until(() => other.events.length > 1);
  expect(other.events[1]?.deltas).toEqual([['goal', 'remove', { uuid: stays.uuid, name: 'stays' }]]);
  await other.stop();
});

it('filters by audit, plan, uuid and state, and removes entities that no longer match', async () => {
  const { audit, plan, actions } = await seedPlan(api.store, seed);
  const other = await seedPlan(api.store, seed);
  const byAudit = follow(secondUrl, { audit: audit.uuid });
  const byPlan = follow(secondUrl, { plan: plan.uuid, kinds: ['action'] });
  const byUuid = follow(secondUrl, { uuids: [other.plan.uuid] });
  const byState = follow(secondUrl, { audit: audit.uuid, kinds: ['action_plan'], states: ['RECOMMENDED'] });
  const all = [byAudit, byPlan, byUuid, byState];
  for (const followed of all) await followed.until(() => followed.events.length > 0);
  expect([...byAudit.state.keys()].length).toBe(4);
  expect(uuidsOf(byPlan.state, 'action').sort()).toEqual(actions.map(({ uuid }) => uuid).sort());
  expect([...byUuid.state.keys()]).toEqual([`action_plan ${other.plan.uuid}`]);
  expect(uuidsOf(byState.state, 'action_plan')).toEqual([plan.uuid]);
  await api.store.db.actionPlans.transition(plan.uuid, 'start');
  await byState.until(() => byState.state.size === 0);
  await byAudit.until(() => byAudit.state.get(`action_plan ${plan.uuid}`)?.state === 'PENDING');
  expect(byUuid.events).toHaveLength(1);
  for (const followed of all) await followed.stop();
});

it('shows nothing that GET would refuse, and refuses invalid requests', async () => {
  const reader = { 'X-Roles': 'reader', accept: 'text/event-stream' };
  expect(fault(await api.get('/v1/watch?kinds=audit', reader))).toMatchObject({ status: 403 });
  expect(fault(await api.get('/v1/watch', { 'X-Roles': 'nobody' }))).toMatchObject({ status: 403 });
  expect(fault(await api.get('/v1/watch?kinds=host'))).toMatchObject({ status: 400 });
  expect(fault(await api.get('/v1/watch?since=x'))).toMatchObject({ status: 400 });
  expect(fault(await api.get('/v1/watch?since=7:1'))).toMatchObject({ status: 410, text: /^resync_required/ });
  expect(fault(await api.get('/v1/watch', { 'Last-Event-ID': '1:999999' }))).toMatchObject({ status: 410 });
  const { body } = await api.send('POST', '/v1/watchers', {}, { 'X-Roles': 'reader', 'X-User-Id': 'r' });
  const { deltas } = (
    await api.get(`/v1/watchers/${JSON.parse(body).id}/next`, { 'X-Roles': 'reader', 'X-User-Id': 'r' })
  ).json();
  expect(new Set(deltas.map(([kind]: [string]) => kind))).toEqual(new Set(['goal']));
});

it('sends the progress of running actions', async () => {
  const { plan, actions } = await seedPlan(api.store, seed, { actions: 1 });
  const uuid = actions[0]?.uuid ?? '';
  const followed = follow(url, { plan: plan.uuid });
  await followed.until(() => followed.events.length > 0);
  await api.store.db.actions.transition(uuid, 'begin');
  reportProgress({ action_uuid: uuid, fraction: 0.25 });
  await followed.until(() => followed.state.get(`action ${uuid}`)?.progress === 0.25);
  await followed.stop();
});

it('drops a client that does not read', async () => {
  const { audit } = await seedPlan(api.store, seed, { actions: 0 });
  const response = await fetch(`${url}/v1/watch?uuids=${audit.uuid}`);
  const reader = response.body?.getReader();
  await reader?.read();
  const metrics = async () => (await api.get('/metrics')).body;
  const isDropped = /vigil_watch_resets_total\{code="resync_required"[^}]*} 1/;
  for (let round = 0; !isDropped.test(await metrics()); round++) {
    // Random, because the stream is compressed.
    const text = randomBytes(400_000).toString('base64');
    await api.store.db.audits.update(audit.uuid, { parameters: { round, text } });
  }
  await reader?.cancel().catch(() => undefined);
});

it('ends streams immediately when the process stops', async () => {
  const third = await useTestApi();
  const thirdUrl = await third.listen();
  const response = await fetch(`${thirdUrl}/v1/watch`);
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toMatch(/^id: 1:0\nevent: snapshot\ndata: /);
  // A stream does not end. Without a limit, this would wait forever.
  await third.app.close();
  expect(await reader?.read()).toMatchObject({ done: true });
});

it('sends background tasks', async () => {
  const followed = follow(secondUrl, { kinds: ['task'] });
  await followed.until(() => followed.events.length > 0);
  const uuid = newUuid();
  await api.store.db.tasks.enqueue({
    uuid,
    name: 'purge',
    args: {},
    argsKey: '',
    queue: 'generic',
    mode: 'none',
    extraNames: [],
    priority: 0,
    runAfter: null,
    maxAttempts: 1,
    timeoutSeconds: 10,
    singleTimeoutSeconds: 10,
    createdBy: 'test',
    requestId: null,
    scheduleName: null,
    fireTime: null,
  });
  await followed.until(() => followed.state.get(`task ${uuid}`)?.state === 'QUEUED');
  await followed.stop();
});

it('sends processes through their life cycle, and the graph with their nodes', async () => {
  const { registry } = api.store.db;
  const followed = follow(secondUrl, { kinds: ['service_instance', 'resource_graph'] });
  await followed.until(() => followed.events.length > 0);
  const edges = () => followed.state.get('resource_graph graph')?.edges as number;
  const before = edges();
  const instanceId = newUuid();
  await registry.enlist({
    instanceId,
    serviceType: 'watcher-applier',
    serviceName: 'watcher-applier#2',
    host: 'node-1',
    pid: 7,
    version: '1.0.0',
    config: { VIGIL_SECRET: 'hidden' },
    configHash: 'abc',
    ttlMs: 30_000,
  });
  const shownInstance = () => followed.state.get(`service_instance ${instanceId}`);
  await followed.until(() => shownInstance() !== undefined && edges() > before);
  expect(shownInstance()).toMatchObject({ name: 'watcher-applier#2', host: 'node-1', pid: 7, ended_at: null });
  expect(JSON.stringify(shownInstance())).not.toContain('hidden');
  const { edges: stored } = await registry.graphSize();
  expect(edges()).toBe(stored);
  await registry.transition(instanceId, 'started');
  await followed.until(() => shownInstance()?.state === 'STARTED');
  // Heartbeats are not changes.
  const received = followed.events.length;
  await registry.beat(instanceId, 30_000);
  await registry.transition(instanceId, 'stop', { reason: 'SIGTERM' });
  await registry.transition(instanceId, 'stopped', { reason: 'SIGTERM' });
  await followed.until(() => shownInstance()?.ended_at !== null);
  expect(shownInstance()).toMatchObject({ state: 'STOPPED', end_reason: 'SIGTERM' });
  const states = followed.events
    .slice(received)
    .flatMap(({ deltas }) =>
      deltas.flatMap(([kind, , entity]) => (kind === 'service_instance' && 'state' in entity ? [entity.state] : [])),
    );
  expect(states).not.toContain('STARTED');
  await registry.link({ srcKind: 'Host', srcId: 'node-1', rel: 'has', dstKind: 'Collector', dstId: 'x' });
  const { edges: linked } = await registry.graphSize();
  await followed.until(() => edges() === linked);
  await registry.unlink({ srcKind: 'Host', srcId: 'node-1', rel: 'has', dstKind: 'Collector' });
  await followed.until(() => edges() === linked - 1);
  await followed.stop();
});

it('vigil watch-changes prints lines, or JSON with positions', async () => {
  const run = async (...args: string[]) => {
    let out = '';
    const context = {
      env: { VIGIL_API_URL: secondUrl },
      out: (text: string) => {
        out += text;
      },
    };
    return { code: await runCli(args, context), out };
  };
  const plain = await run('watch-changes', '--kind', 'strategy', '--limit', '1');
  expect(plain).toMatchObject({ code: 0, out: expect.stringMatching(/^change strategy [0-9a-f-]{36} dummy\n$/) });
  const { out } = await run('watch-changes', '--uuid', seed.zone.uuid, '--json', '--limit', '1');
  expect(JSON.parse(out)).toMatchObject({
    type: 'snapshot',
    position: expect.stringMatching(/^1:\d+$/),
    delta: ['strategy', 'change', {}],
  });
  expect((await run('watch-changes', '--kind', 'host')).code).toBe(1);
});
