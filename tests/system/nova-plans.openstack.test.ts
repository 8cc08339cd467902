// @needs postgres, program
import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { type JsonObject, type OnFailure, silentLogger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv, type Server } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { atEnd, useStore } from '#tests';
import { insertAction, insertPlanWorld } from '../builders.ts';
import { useVigil } from './use-vigil.ts';

/** Plans that real processes run against a real Nova. Nova reports the location of each server. */

const { store, url } = await useStore();
const cloud = createOpenStackCloud(openStackConfigFromEnv(process.env), { logger: silentLogger, clock: systemClock });
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('OS_'))),
  VIGIL_DATABASE_URL: url,
  VIGIL_PORT: '0',
  VIGIL_LOG_LEVEL: 'warn',
  VIGIL_MIGRATION_POLL_SECONDS: '0.5',
  VIGIL_MODEL_MAX_AGE_SECONDS: '1',
  VIGIL_APPLIER_POLL_SECONDS: '1',
};
const api = await useVigil(['api'], env);
await Promise.all([useVigil(['decision-engine'], env), useVigil(['applier'], env)]);
const apiUrl = `${api.url}/v1`;
// The decision engine registers its strategies once it has reached the cloud.
const strategies = () => request<{ strategies: { name: string }[] }>('GET', '/strategies?limit=100');
const known = async () => (await strategies()).strategies.map(({ name }) => name);
await vi.waitFor(async () => expect(await known()).toContain('host_maintenance'), 60_000);
atEnd(() => cloud.close());

/**
 * Sends a request to the API with the credentials of the cloud's administrator. Retries while a service is
 * unavailable.
 */
async function request<Result>(method: string, path: string, body?: object): Promise<Result> {
  const send = async () =>
    fetch(`${apiUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-auth-token': await cloud.identity.token() },
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout(20_000),
    });
  const response = await vi.waitFor(async () => {
    const answer = await send();
    if (answer.status === 503) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer;
  }, 60_000);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Result;
}

const hostOf = async (uuid: string) => (await cloud.compute.getServer(uuid))?.host;
const serviceOf = async (host: string) =>
  (await cloud.compute.listServices()).find((one) => one.host === host && one.binary === 'nova-compute');

/** The host with the fewest servers, but at least `least`, that can be emptied. */
async function victim(least = 1): Promise<{ host: string; servers: Server[] }> {
  const servers = (await cloud.compute.listServers({})).filter(
    (one) => one.status === 'ACTIVE' && one.taskState === null,
  );
  const hosts = [...new Set(servers.map((one) => one.host ?? ''))].map((host) => ({
    host,
    servers: servers.filter((one) => one.host === host),
  }));
  const [found] = hosts
    .filter((one) => one.servers.length >= least)
    .sort((one, other) => one.servers.length - other.servers.length);
  if (!found) throw new Error('the cloud has no such host');
  return found;
}

type Spec = [actionType: string, inputParameters: JsonObject];

/** Stores a plan with sequential stages, and lets an applier find it. */
async function launch(stages: Spec[][], onFailure: OnFailure): Promise<string> {
  const { plan } = await insertPlanWorld(store.db, {
    actions: 0,
    plan: () => ({ state: 'RECOMMENDED', onFailure }),
  });
  let parents: string[] = [];
  for (const stage of stages) {
    const uuids: string[] = [];
    for (const [actionType, inputParameters] of stage) {
      const uuid = randomUUID();
      await insertAction(store.db, plan, () => ({ uuid, actionType, inputParameters, parents }));
      uuids.push(uuid);
    }
    parents = uuids;
  }
  await request('POST', `/action_plans/${plan.uuid}/start`);
  return plan.uuid;
}

async function ended(planUuid: string) {
  const state = async () => (await store.db.actionPlans.get(planUuid)).state;
  await expect.poll(state, { timeout: 90_000, interval: 300 }).toMatch(/SUCCEEDED|FAILED|CANCELLED/);
  return { plan: await store.db.actionPlans.get(planUuid), actions: await store.db.actions.listByPlan(planUuid) };
}

const disable = (host: string): Spec => [
  'change_nova_service_state',
  { resource_id: host, resource_name: host, state: 'disabled', disabled_reason: 'watcher_test' },
];
const enable = (host: string): Spec => [
  'change_nova_service_state',
  { resource_id: host, resource_name: host, state: 'enabled', disabled_reason: 'watcher_maintaining' },
];
const move = (server: Server, type: 'live' | 'cold'): Spec => [
  'migrate',
  { migration_type: type, resource_id: server.uuid, source_node: server.host ?? '', destination_node: null },
];

it('maintenance of a host, from the audit to the finished plan; then the host is enabled again', async () => {
  const { host, servers } = await victim();
  const audit = await request<{ uuid: string }>('POST', '/audits', {
    goal: 'cluster_maintaining',
    strategy: 'host_maintenance',
    audit_type: 'ONESHOT',
    parameters: { maintenance_node: host },
  });
  const auditState = async () => (await store.db.audits.get(audit.uuid)).state;
  await expect.poll(auditState, { timeout: 60_000, interval: 300 }).toMatch(/SUCCEEDED|FAILED/);
  const [plan] = await store.db.actionPlans.list({ filters: [{ field: 'auditUuid', value: audit.uuid }] });
  if (!plan) throw new Error(`the audit has no plan: ${(await store.db.audits.get(audit.uuid)).statusMessage}`);
  await request('POST', `/action_plans/${plan.uuid}/start`);
  const { plan: done, actions } = await ended(plan.uuid);
  expect(actions.map((action) => action.statusMessage ?? action.state)).toEqual(actions.map(() => 'SUCCEEDED'));
  expect(done.state).toBe('SUCCEEDED');
  for (const server of servers) expect(await hostOf(server.uuid)).not.toBe(host);
  expect(await serviceOf(host)).toMatchObject({ status: 'disabled', disabledReason: 'watcher_maintaining' });

  expect((await ended(await launch([[enable(host)]], 'continue'))).plan.state).toBe('SUCCEEDED');
  expect(await serviceOf(host)).toMatchObject({ status: 'enabled' });
});

it('a plan that fails is rolled back: the host is enabled before its servers return', async () => {
  const { host, servers } = await victim();
  const failing: Spec = ['nop', { message: 'no', fail_execute: true }];
  const [first, ...others] = servers;
  if (!first) throw new Error('no server');
  const moves = [move(first, 'cold'), ...others.slice(0, 2).map((server) => move(server, 'live'))];
  const { plan, actions } = await ended(await launch([[disable(host)], moves, [failing]], 'rollback'));
  expect(actions.map((action) => action.rollbackMessage)).toEqual(actions.map(() => null));
  expect(plan).toMatchObject({ state: 'FAILED', rollbackState: 'SUCCEEDED' });
  for (const server of servers) expect(await hostOf(server.uuid)).toBe(host);
  expect(await serviceOf(host)).toMatchObject({ status: 'enabled' });
});

it('a plan that is cancelled: running actions end, nothing more starts', async () => {
  const { host, servers } = await victim(2);
  const [first, second] = servers;
  if (!(first && second)) throw new Error('no servers');
  const planUuid = await launch(
    [[move(first, 'live')], [['sleep', { duration: 1 }]], [move(second, 'live')]],
    'continue',
  );
  const [running] = await store.db.actions.listByPlan(planUuid);
  const isRunning = async () => (await store.db.actions.get(running?.uuid ?? '')).state;
  await expect.poll(isRunning, { timeout: 20_000, interval: 100 }).toBe('ONGOING');
  await request('PATCH', `/action_plans/${planUuid}`, [{ op: 'replace', path: '/state', value: 'CANCELLING' }]);
  const { plan, actions } = await ended(planUuid);
  expect(plan.state).toBe('CANCELLED');
  expect(actions.map((action) => action.state)).toEqual(['SUCCEEDED', 'CANCELLED', 'CANCELLED']);
  expect(await hostOf(first.uuid)).not.toBe(host);
  expect(await hostOf(second.uuid)).toBe(host);
});
