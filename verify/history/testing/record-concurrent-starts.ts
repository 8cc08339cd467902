import { setTimeout as pause } from 'node:timers/promises';
import { actionPlanStateTable, createRandom, type RandomSource } from '#libs/domain';
import type { ActionPlanView, Store } from '#libs/store';
import { createFakeCloud } from '#tests';
import { fault, type TestApi, useTestApi } from '../../../services/api/testing/test-api.ts';
import {
  type ApplierBench,
  moveSpec,
  serverId,
  useApplierBench,
} from '../../../services/applier/testing/applier-bench.ts';
import type { History } from '../check-history.ts';
import { startMortalAppliers } from './mortal-appliers.ts';
import { openPositionLog, type PositionLog } from './position-log.ts';

const hostNames = ['a', 'b', 'c', 'd', 'e', 'f'];
const starterCount = 8;
const applierCount = 3;
/** Longest pause of a starter between two requests, in milliseconds. */
const longestPauseMs = 40;

interface Settings {
  seed: number;
  plans: number;
  /** Replaces the store of all APIs and appliers. */
  change?: (store: Store) => Store;
}

/** A history, and how much happened in it. */
interface Recorded {
  history: History;
  figures: { starts: number; admitted: number; refused: number; claims: number; requests: number; kills: number };
  /** Plans by their end state. */
  ends: Record<string, number>;
  /** Texts of refusals. */
  refusals: string[];
  /** Changes that the cloud saw, to compare with the requests of the history. */
  mutations: number;
}

interface World {
  bench: ApplierBench;
  log: PositionLog;
  random: RandomSource;
}

/**
 * Lets eight APIs start and cancel plans on six hosts while three appliers run them, each with separate connections to
 * one database. Appliers are killed and replaced. Ends when every plan has ended.
 */
export async function recordConcurrentStarts({ seed, plans: count, change = (store) => store }: Settings) {
  const bench = await useApplierBench();
  const random = createRandom(seed);
  const cloud = createFakeCloud({ hosts: hostNames.map((name) => ({ name })) });
  const log = await openPositionLog(bench.store);
  const world = { bench, log, random };
  const owners = new Map<string, { plan: string; hosts: string[] }>();
  const hosts = new Map<string, string[]>();
  for (let number = 0; number < count; number += 1) {
    const { plan, own, servers } = await makePlan(world, number);
    hosts.set(plan.uuid, own);
    for (const uuid of servers) {
      owners.set(uuid, { plan: plan.uuid, hosts: own });
      const server = { uuid, host: own[0] ?? '', status: 'ACTIVE', taskState: null, fault: null, locked: false };
      cloud.servers.set(uuid, { ...server, flavor: 'small' });
      if (random() < 0.1) cloud.script(uuid, { status: 'error', fault: 'No valid host' });
    }
  }

  const planOf = (uuid: string) => owners.get(uuid) ?? { plan: `none of server ${uuid}`, hosts: hostNames };
  const appliers = startMortalAppliers({ ...world, cloud, planOf, store: change(bench.store) }, applierCount);
  const starters = Array.from({ length: starterCount }, async () => {
    const connected = await useTestApi({}, bench.databaseUrl);
    const api = await useTestApi({ store: change(connected.store) }, bench.databaseUrl);
    await startAtRandom(world, api);
  });
  const expireUntilAllEnded = async () => {
    while (await isAnyOpen(bench)) {
      await appliers.expireLeases();
      await pause(longestPauseMs);
    }
  };
  await Promise.all([...starters, expireUntilAllEnded()]);
  await appliers.stop();
  return summarize(await log.events(), { hosts, bench, kills: appliers.kills(), mutations: cloud.mutations.length });
}

/** Two hosts, and one or two servers that move. Half of the plans count on versions of their hosts. */
async function makePlan({ bench, random }: World, number: number) {
  const first = Math.floor(random() * hostNames.length);
  const second = (first + 1 + Math.floor(random() * (hostNames.length - 1))) % hostNames.length;
  const own = [hostNames[first] ?? '', hostNames[second] ?? ''];
  const numbers = random() < 0.5 ? [2 * number] : [2 * number, 2 * number + 1];
  const moves = numbers.map((server, place) =>
    moveSpec(server, own[0] ?? '', own[1] ?? '', { cold: random() < 0.3, after: place === 0 ? [] : [place - 1] }),
  );
  const plan = await bench.plan(moves, { row: { state: 'RECOMMENDED', launchSeq: 0 } });
  if (random() < 0.5) {
    const { hostVersions, planHolds } = bench.store.db;
    const versions = await hostVersions.observe(
      own.map((hostname) => ({ hostname, fingerprint: 'seen' })),
      0,
    );
    await planHolds.record(
      plan.id,
      own.map((hostname) => ({ hostname, version: versions.get(hostname) ?? null })),
    );
  }
  return { plan, own, servers: numbers.map(serverId) };
}

async function startAtRandom(world: World, api: TestApi): Promise<void> {
  const { random, bench } = world;
  const { actionPlans, hostVersions } = bench.store.db;
  for (;;) {
    const plans = await actionPlans.list({ sortKey: 'id' });
    const waiting = plans.filter(({ state }) => state === 'RECOMMENDED');
    if (waiting.length === 0) return;
    const choice = random();
    if (choice < 0.85) await start(world, api, pick(waiting, random), random() < 0.5);
    else if (choice < 0.9) await start(world, api, pick(plans, random), false);
    else if (choice < 0.91) await cancel(api, plans, random);
    else await hostVersions.raise([pick(hostNames, random)]);
    await pause(random() * longestPauseMs);
  }
}

async function start({ log }: World, api: TestApi, { uuid: plan }: ActionPlanView, force: boolean): Promise<void> {
  const id = crypto.randomUUID();
  await log.note({ kind: 'start_requested', start: id, plan });
  const body = force ? { force_stale: true } : {};
  const response = await api.send('POST', `/v1/action_plans/${plan}/start`, body);
  if (response.statusCode === 200) await log.note({ kind: 'start_admitted', start: id });
  if (response.statusCode !== 400 && response.statusCode !== 409) return;
  const { text: reason } = fault(response);
  const [, holder = null] = /action plan (\S+), which is/.exec(reason) ?? [];
  await log.note({ kind: 'start_refused', start: id, reason, holder });
}

/** Cancels a plan that was started. It may end before the request arrives. */
async function cancel(api: TestApi, plans: readonly ActionPlanView[], random: RandomSource): Promise<void> {
  const started = plans.filter(({ state }) => state === 'PENDING' || state === 'ONGOING');
  if (started.length === 0) return;
  const { uuid, state } = pick(started, random);
  const value = state === 'PENDING' ? 'CANCELLED' : 'CANCELLING';
  await api.send('PATCH', `/v1/action_plans/${uuid}`, [{ op: 'replace', path: '/state', value }]);
}

function pick<Item>(items: readonly Item[], random: RandomSource): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

async function isAnyOpen({ store }: ApplierBench): Promise<boolean> {
  const plans = await store.db.actionPlans.list();
  return plans.some(({ state }) => !actionPlanStateTable.terminal.includes(state));
}

async function summarize(
  events: History['events'],
  world: { hosts: History['hosts']; bench: ApplierBench; kills: number; mutations: number },
): Promise<Recorded> {
  const count = (kind: (typeof events)[number]['kind']) => events.filter((event) => event.kind === kind).length;
  const ends: Record<string, number> = {};
  for (const { state } of await world.bench.store.db.actionPlans.list()) ends[state] = (ends[state] ?? 0) + 1;
  return {
    history: { hosts: world.hosts, events },
    figures: {
      starts: count('start_requested'),
      admitted: count('start_admitted'),
      refused: count('start_refused'),
      claims: count('claimed'),
      requests: count('sent'),
      kills: world.kills,
    },
    ends,
    refusals: events.flatMap((event) => (event.kind === 'start_refused' ? [event.reason] : [])),
    mutations: world.mutations,
  };
}
