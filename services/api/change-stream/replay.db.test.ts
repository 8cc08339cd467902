import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createRandom } from '#libs/domain';
import { newUuid } from '#libs/service-kit';
import { seedCatalogue, seedPlan, useTestApi } from '../testing/test-api.ts';
import { type Followed, follow, type WatchedState } from '../testing/watch-client.ts';

/** Transactions of each writer; VIGIL_REPLAY_TRANSACTIONS=2000 makes more. */
const transactions = Number(process.env.VIGIL_REPLAY_TRANSACTIONS ?? 60);
const seedNumber = Number(process.env.VIGIL_REPLAY_SEED ?? 1);
const writers = 4;
/** Positions at which followers must have compared states. A loaded machine reads more transactions in one batch. */
const leastPositions = 30;
const states = ['PENDING', 'ONGOING', 'SUCCEEDED', 'FAILED', 'CANCELLED'];

const api = await useTestApi();
const second = await useTestApi({}, api.databaseUrl);
const urls = [await api.listen(), await second.listen()];
const seed = await seedCatalogue(api.store);
const seeded = await Promise.all([1, 2, 3].map(() => seedPlan(api.store, seed, { actions: 8 })));
const audits = seeded.map(({ audit }) => audit.uuid);
const plans = seeded.map(({ plan }) => plan.uuid);
const actions = seeded.flatMap((plan) => plan.actions.map(({ uuid }) => uuid));

/** Writes in transactions that overlap with other writers', until `isEnough`. Some are rolled back. */
async function write(random: () => number, isEnough: () => boolean): Promise<void> {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? '';
  const made: string[] = [];
  const addGoal = async () => {
    const uuid = newUuid();
    made.push(uuid);
    await client.query(
      `INSERT INTO goals (uuid, name, display_name, efficacy_specification) VALUES ($1, $2, 'x', '[]')`,
      [uuid, uuid],
    );
  };
  const acts: (() => Promise<unknown>)[] = [
    () => client.query('UPDATE actions SET state = $1 WHERE uuid = $2', [pick(states), pick(actions)]),
    () => client.query('UPDATE actions SET deleted = id WHERE uuid = $1', [pick(actions)]),
    () => client.query('UPDATE actions SET deleted = 0 WHERE deleted <> 0 AND uuid = $1', [pick(actions)]),
    () => client.query('UPDATE action_plans SET status_message = $1 WHERE uuid = $2', [String(random()), pick(plans)]),
    () => client.query('UPDATE audits SET status_message = $1 WHERE uuid = $2', [String(random()), pick(audits)]),
    () => client.query('UPDATE audits SET name = name WHERE uuid = $1', [pick(audits)]),
    addGoal,
    () => client.query('UPDATE goals SET deleted = id WHERE uuid = $1', [made.shift() ?? newUuid()]),
    () => client.query('UPDATE goals SET deleted = 0 WHERE deleted <> 0 AND uuid = $1', [made.at(-1) ?? newUuid()]),
  ];
  for (let count = 0; count < transactions || !isEnough(); count += 1) {
    await client.query('BEGIN');
    // A fixed order with one row of each kind would avoid deadlocks. Here each transaction may lock only once.
    await acts[Math.floor(random() * acts.length)]?.();
    await addGoal();
    await sleep(random() * 8);
    await client.query(random() < 0.2 ? 'ROLLBACK' : 'COMMIT');
  }
  await client.end();
}

/** State of the log at each position: the rows of the followed kinds at that time. */
async function statesOfLog(positions: readonly number[]): Promise<Map<number, Map<string, string>>> {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ revno: string; kind: string; key: string; op: string; doc: object }>(
    `SELECT revno, kind, entity_uuid AS key, op, doc FROM change_log
     WHERE revno IS NOT NULL AND kind IN ('goal', 'audit', 'action', 'action_plan') ORDER BY revno`,
  );
  await client.end();
  const wanted = [...new Set(positions)].sort((a, b) => a - b);
  const current = new Map<string, object>();
  const found = new Map<number, Map<string, string>>();
  let next = 0;
  for (const place of wanted) {
    for (; next < rows.length && Number(rows[next]?.revno) <= place; next += 1) {
      const { kind, key, op, doc } = rows[next] as (typeof rows)[number];
      if (op === 'delete') current.delete(`${kind} ${key}`);
      else current.set(`${kind} ${key}`, doc);
    }
    found.set(
      place,
      new Map([...current].map(([name, doc]) => [name, essence({ ...doc, ...countedActions(name, doc, current) })])),
    );
  }
  return found;
}

/** Counts of actions that a plan shows, made from their rows. */
function countedActions(name: string, plan: object, rows: ReadonlyMap<string, object>): object {
  if (!name.startsWith('action_plan ')) return {};
  const actionsOf = [...rows].flatMap(([key, row]) =>
    key.startsWith('action ') && (row as { action_plan_id: number }).action_plan_id === (plan as { id: number }).id
      ? [(row as { state: string }).state]
      : [],
  );
  const counts: Record<string, number> = {};
  for (const state of actionsOf) counts[state] = (counts[state] ?? 0) + 1;
  return { progress: { total: actionsOf.length, by_state: counts } };
}

interface Essence {
  name?: string;
  state?: string;
  status_message?: string;
  progress?: { total: number; by_state: Record<string, number> };
}

function essence(row: object): string {
  const { name, state, status_message: text, progress } = row as Essence;
  // Only plans have this progress. The progress of an action comes from its applier over the bus.
  const counts = progress && [progress.total, Object.entries(progress.by_state).sort()];
  return JSON.stringify([name ?? null, state ?? null, text ?? null, counts ?? null]);
}

function essences(state: WatchedState): Map<string, string> {
  return new Map([...state].map(([key, entity]) => [key, essence(entity)]));
}

const sorted = (state: Map<string, unknown>) => [...state].sort(([a], [b]) => (a < b ? -1 : 1));

it('replayed deltas equal a fresh snapshot at every position, for any writer and any process', async () => {
  const random = createRandom(seedNumber);
  const kinds = ['goal', 'audit', 'action', 'action_plan'] as const;
  const followers: Followed[] = urls.flatMap((url) => [follow(url, { kinds }, true), follow(url, { kinds }, true)]);
  const positions = () => new Set(followers.flatMap(({ at }) => [...at.keys()]));
  const isEnough = () => positions().size >= leastPositions;
  const working = Promise.all(Array.from({ length: writers }, () => write(createRandom(random() * 1e9), isEnough)));
  let isWriting = true;
  void working.then(() => {
    isWriting = false;
  });
  // Continuous fresh snapshots, and one follower that switches between the processes.
  for (let round = 0; isWriting; round += 1) {
    const url = urls[round % 2] ?? '';
    const previous = followers.at(-1);
    const fresh = follow(url, { kinds }, true);
    await fresh.until(() => fresh.events.at(-1)?.isComplete === true);
    followers.push(fresh);
    if (previous && round % 2 === 1) await previous.stop();
    const resumed = follow(url, { kinds, since: fresh.position() }, true);
    for (const [key, entity] of fresh.state) resumed.state.set(key, entity);
    await fresh.stop();
    followers.push(resumed);
    await resumed.until(() => !isWriting || resumed.events.length > 0);
  }
  await working;
  const { newest } = await api.store.changes.bounds();
  const staying = followers.slice(0, 4);
  await api.store.db.audits.update(audits[0] ?? '', { statusMessage: 'the end' });
  for (const followed of staying) await followed.until(() => followed.position() === `1:${newest + 1}`);
  for (const followed of followers) await followed.stop();

  const places = followers.flatMap(({ at }) => [...at].map(([position, state]) => ({ position, state })));
  const expected = await statesOfLog(places.map(({ position }) => Number(position.split(':')[1])));
  expect(positions().size).toBeGreaterThanOrEqual(leastPositions);
  for (const { position, state } of places) {
    const fromLog = expected.get(Number(position.split(':')[1])) ?? new Map();
    expect(sorted(essences(state)), `at ${position}`).toEqual(sorted(fromLog));
  }
  // Two clients that received different batches end with identical state.
  expect(sorted(staying[0]?.state ?? new Map())).toEqual(
    sorted(staying[3]?.state ?? new Map()).map(([key, entity]) => [
      key,
      withHost(entity, urls[1] ?? '', urls[0] ?? ''),
    ]),
  );
});

function withHost(entity: unknown, from: string, to: string): unknown {
  return JSON.parse(JSON.stringify(entity).replaceAll(from, to));
}
