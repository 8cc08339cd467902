import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type ActionPlanState, silentLogger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { insertAction, insertActionPlan, insertPlanWorld, type PlanWorld, useStore } from '#tests';
import { useTestApi } from '../api/testing/test-api.ts';
import { startSimulator } from '../simulator/start-simulator.ts';
import { smallWorld } from '../simulator/testing/simulation-fixture.ts';
import { run } from './main.ts';

const simulator = await startSimulator(
  { world: smallWorld(), writer: null, clock: systemClock, newUuid: randomUUID, logger: silentLogger },
  { password: 'vigil' },
);
const login = { OS_AUTH_URL: simulator.authUrl, OS_USERNAME: 'admin', OS_PASSWORD: 'vigil', OS_PROJECT_NAME: 'admin' };
const cloud = createOpenStackCloud(openStackConfigFromEnv(login), { logger: silentLogger, clock: systemClock });
afterAll(async () => {
  await cloud.close();
  await simulator.stop();
});

/** Watcher's API, with its own database and few rows in a list. */
const peer = await useTestApi({ authMode: 'keystone', identity: cloud.identity, maxLimit: 2 });
const { store, url: databaseUrl } = await useStore();
let peerUrl: string;
let there: PlanWorld;
let here: PlanWorld;

const usual = { ...process.env };
beforeAll(async () => {
  peerUrl = await peer.listen();
  there = await insertPlanWorld(peer.store.db, { plan: () => ({ state: 'SUCCEEDED' }) });
  here = await insertPlanWorld(store.db, { plan: () => ({ state: 'SUCCEEDED' }) });
});
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OS_')) delete process.env[name];
  Object.assign(process.env, login, { VIGIL_DATABASE_URL: databaseUrl });
});
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in usual)) delete process.env[name];
  Object.assign(process.env, usual);
});

/** A plan that Watcher recommends, with a pending action, and its state in Vigil. */
async function plan(state: ActionPlanState): Promise<string> {
  const uuid = randomUUID();
  const recommended = await insertActionPlan(peer.store.db, there.audit, there.strategy, () => ({ uuid }));
  await insertAction(peer.store.db, recommended);
  await insertActionPlan(store.db, here.audit, here.strategy, () => ({ uuid, state }));
  return uuid;
}

async function settle(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const texts = { out: '', err: '' };
  const keep = (name: 'out' | 'err') => (text: unknown) => {
    texts[name] += String(text);
    return true;
  };
  const writing = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('err')),
  ];
  try {
    return { code: await run(['settle', ...words]), ...texts };
  } finally {
    for (const spy of writing) spy.mockRestore();
  }
}

const stateThere = async (uuid: string) => (await peer.store.db.actionPlans.get(uuid)).state;

test('plans that have ended in Vigil become CANCELLED in Watcher, with their actions', async () => {
  const ended = await Promise.all((['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED'] as const).map(plan));
  const deleted = await plan('SUCCEEDED');
  await store.db.actionPlans.softDelete(deleted);
  const open = await plan('RECOMMENDED');
  const { uuid: unknown } = await insertActionPlan(peer.store.db, there.audit, there.strategy);

  const dry = await settle(peerUrl, '--dry-run', '--json');
  expect(dry.code, dry.err).toBe(0);
  const { url, plans } = JSON.parse(dry.out) as { url: string; plans: { uuid: string; settled: boolean }[] };
  expect(url).toBe(peerUrl);
  expect(plans.map(({ uuid }) => uuid).sort()).toEqual([...ended, deleted].sort());
  expect(plans.filter(({ settled }) => settled)).toEqual([]);
  expect(await stateThere(deleted)).toBe('RECOMMENDED');

  const done = await settle(peerUrl, '--yes', '--json');
  expect(done.code, done.err).toBe(0);
  expect(JSON.parse(done.out)).toMatchObject({
    plans: plans.map(({ uuid }) => ({ uuid, settled: true, error: null })),
  });
  for (const uuid of [...ended, deleted]) {
    const cancelled = await peer.store.db.actionPlans.get(uuid);
    expect(cancelled.state).toBe('CANCELLED');
    const filters = [{ field: 'actionPlanId' as const, value: cancelled.id }];
    expect(await peer.store.db.actions.list({ filters })).toMatchObject([{ state: 'CANCELLED' }]);
  }
  expect([await stateThere(open), await stateThere(unknown)]).toEqual(['RECOMMENDED', 'RECOMMENDED']);
  expect(await settle(`${peerUrl}/v1/`, '--yes')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Nothing was'),
  });
});

test('a plan that runs in Vigil is left alone, and the exit code reports it', async () => {
  const running = await plan('ONGOING');
  const ended = await plan('SUCCEEDED');
  const { code, out } = await settle(peerUrl, '--yes');
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining(`${running}  ONGOING  (`) });
  expect([await stateThere(running), await stateThere(ended)]).toEqual(['RECOMMENDED', 'CANCELLED']);
  await store.db.actionPlans.softDelete(running);
});

test('nothing is changed without a confirmation', async () => {
  const uuid = await plan('SUCCEEDED');
  expect(await settle(peerUrl, '--json')).toMatchObject({ code: 2, out: '' });
  expect(await stateThere(uuid)).toBe('RECOMMENDED');
});

test.each([
  [['watcher:9322'], 2],
  [['http://127.0.0.1:1', '--dry-run'], 1],
  [['--dry-run', '--nope'], 2],
])('%j ends with %i and one line', async (words, code) => {
  expect(await settle(...words)).toEqual({ code, out: '', err: expect.stringMatching(/^[^\n]+\n$/) });
});

test('a login that may not change plans is reported', async () => {
  await plan('SUCCEEDED');
  Object.assign(process.env, { OS_USERNAME: 'member', OS_PROJECT_NAME: 'demo' });
  expect(await settle(peerUrl, '--yes')).toMatchObject({ code: 1, err: expect.stringMatching(/^vigil db: .+\n$/) });
});
