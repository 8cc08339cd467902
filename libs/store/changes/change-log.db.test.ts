import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertGoal, insertPlanWorld, useStore } from '#tests';
import type { ChangeRow } from './change-log.ts';

let sessions: pg.Client[];

const { store, url } = await useStore();

beforeEach(() => {
  sessions = [];
});

afterEach(async () => {
  await Promise.all(sessions.map((session) => session.end()));
});

async function newSession(): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  sessions.push(session);
  return session;
}

const insertSql = (name: string) =>
  `INSERT INTO goals (uuid, name, display_name, efficacy_specification) VALUES (gen_random_uuid(), '${name}', 'x', '[]')`;

async function changesSince(revno: number): Promise<ChangeRow[]> {
  const { epoch } = await store.changes.bounds();
  return store.changes.read({ epoch, revno }, 100_000);
}

const namesOf = (changes: ChangeRow[]) => changes.map((change) => change.doc?.name);

test('inserts, updates and deletes are logged with the stored row', async () => {
  const { newest } = await store.changes.bounds();
  const goal = await insertGoal(store.db);
  await store.db.goals.update(goal.uuid, { displayName: 'Other' });
  await store.db.goals.softDelete(goal.uuid);
  const changes = await changesSince(newest);
  expect(changes.map((change) => [change.revno, change.kind, change.entityUuid, change.op])).toEqual([
    [newest + 1, 'goal', goal.uuid, 'create'],
    [newest + 2, 'goal', goal.uuid, 'update'],
    [newest + 3, 'goal', goal.uuid, 'delete'],
  ]);
  expect(changes[1]?.doc).toMatchObject({ uuid: goal.uuid, display_name: 'Other', id: goal.id });
  expect(changes[2]?.doc).toBeNull();
  expect(changes[0]?.at).toBeInstanceOf(Date);
});

test('every kind of entity is logged, without its heartbeats', async () => {
  const { newest } = await store.changes.bounds();
  const { plan } = await insertPlanWorld(store.db);
  await store.db.services.beat('watcher-applier', 'host');
  await store.db.services.beat('watcher-applier', 'host');
  await store.db.efficacyIndicators.insert({
    uuid: '0b7c1a0e-6f6b-4f0c-9d5c-0a4a5a1e0001',
    name: 'n',
    description: null,
    unit: null,
    value: 1,
    actionPlanId: plan.id,
  });
  const kinds = (await changesSince(newest)).map((change) => change.kind);
  expect(kinds).toEqual(['goal', 'strategy', 'audit', 'action_plan', 'action', 'service', 'efficacy_indicator']);
});

test('an update without a change is not logged and does not set updated_at', async () => {
  const goal = await insertGoal(store.db);
  const { newest } = await store.changes.bounds();
  const same = await store.db.goals.update(goal.uuid, { displayName: goal.displayName });
  expect(same.updatedAt).toBeNull();
  expect(await changesSince(newest)).toEqual([]);
});

test('a page holds at most the limit and the next one continues', async () => {
  const { epoch, newest } = await store.changes.bounds();
  for (let count = 0; count < 5; count += 1) await insertGoal(store.db);
  const first = await store.changes.read({ epoch, revno: newest }, 2);
  const second = await store.changes.read({ epoch, revno: newest + 2 }, 100);
  expect([...first, ...second].map((change) => change.revno - newest)).toEqual([1, 2, 3, 4, 5]);
});

test('of two overlapping transactions the first commit is numbered first', async () => {
  const { newest } = await store.changes.bounds();
  const [early, late] = [await newSession(), await newSession()];
  await early.query('BEGIN');
  await early.query(insertSql('began-first'));
  await late.query('BEGIN');
  await late.query(insertSql('committed-first'));
  await late.query('COMMIT');
  const before = await changesSince(newest);
  expect(namesOf(before)).toEqual(['committed-first']);

  await early.query('COMMIT');
  const after = await changesSince(newest + 1);
  expect(namesOf(after)).toEqual(['began-first']);
  expect([...before, ...after].map((change) => change.revno)).toEqual([newest + 1, newest + 2]);
});

test('a rolled-back transaction leaves no gap', async () => {
  const { newest } = await store.changes.bounds();
  const session = await newSession();
  await session.query('BEGIN');
  await session.query(insertSql('never'));
  await insertGoal(store.db, () => ({ name: 'kept-1' }));
  expect((await store.changes.bounds()).newest).toBe(newest + 1);
  await session.query('ROLLBACK');
  await insertGoal(store.db, () => ({ name: 'kept-2' }));
  const changes = await changesSince(newest);
  expect(namesOf(changes)).toEqual(['kept-1', 'kept-2']);
  expect(changes.map((change) => change.revno)).toEqual([newest + 1, newest + 2]);
});

test('the last number of a row has its last content, independent of the order of transaction ids', async () => {
  const goal = await insertGoal(store.db);
  const { newest } = await store.changes.bounds();
  const [first, second, blocker] = [await newSession(), await newSession(), await newSession()];
  const rename = (name: string) => `UPDATE goals SET display_name = '${name}' WHERE uuid = '${goal.uuid}'`;
  await second.query('BEGIN');
  await second.query('SELECT pg_current_xact_id()');
  await blocker.query('BEGIN');
  await blocker.query('SELECT pg_current_xact_id()');
  await first.query(rename('older'));
  await second.query(rename('newer'));
  await second.query('COMMIT');
  const changes = await changesSince(newest);
  expect(changes.map((change) => change.doc?.display_name)).toEqual(['older', 'newer']);
  await blocker.query('COMMIT');
  expect((await store.changes.bounds()).newest).toBe(newest + 2);
});

test('bounds of an emptied log start after the newest number', async () => {
  await insertGoal(store.db);
  const { newest, epoch } = await store.changes.bounds();
  const session = await newSession();
  await session.query('DELETE FROM change_log WHERE revno < $1', [newest]);
  expect(await store.changes.bounds()).toEqual({ epoch, oldest: newest, newest });
  await session.query('DELETE FROM change_log');
  expect(await store.changes.bounds()).toEqual({ epoch, oldest: newest + 1, newest });
  expect(await store.changes.read({ epoch: epoch + 1, revno: 0 }, 10)).toEqual([]);
});

test('a backlog larger than one batch is numbered to the end, and old changes are pruned', async () => {
  const { newest, epoch } = await store.changes.bounds();
  const session = await newSession();
  await session.query(
    `INSERT INTO change_log (kind, entity_uuid, op, at)
     SELECT 'goal', place::text, 'delete', now() - interval '2 days' FROM generate_series(1, 20005) AS place`,
  );
  expect((await store.changes.bounds()).newest).toBe(newest + 20_005);
  const tail = await store.changes.read({ epoch, revno: newest + 19_999 }, 10);
  expect(tail.map((change) => change.entityUuid)).toEqual(['20000', '20001', '20002', '20003', '20004', '20005']);
  await insertGoal(store.db);
  expect(await store.changes.prune(86_400)).toBe(20_005);
  expect(await changesSince(newest)).toMatchObject([{ revno: newest + 20_006, kind: 'goal' }]);
});

test('concurrent readers of the log see every change once, in order, and end with the current state', async () => {
  const start = (await store.changes.bounds()).newest;
  const writers = 4;
  const rounds = 25;
  const goals = [await insertGoal(store.db), await insertGoal(store.db)];
  let writing = true;

  async function write(writer: number): Promise<void> {
    const session = await newSession();
    for (let round = 0; round < rounds; round += 1) {
      await session.query('BEGIN');
      const goal = goals[(writer + round) % goals.length];
      await session.query(insertSql(`goal-${writer}-${round}-${start}`));
      await session.query('UPDATE goals SET display_name = $1 WHERE uuid = $2', [`${writer}-${round}`, goal?.uuid]);
      await session.query(round % 5 === 4 ? 'ROLLBACK' : 'COMMIT');
    }
  }

  async function tail(): Promise<ChangeRow[]> {
    const seen: ChangeRow[] = [];
    for (let last = false; ; ) {
      const { epoch } = await store.changes.bounds();
      const changes = await store.changes.read({ epoch, revno: seen.at(-1)?.revno ?? start }, 7);
      seen.push(...changes);
      if (changes.length === 0 && last) return seen;
      last = changes.length === 0 && !writing;
    }
  }

  const readers = [tail(), tail(), tail()];
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  writing = false;
  const logs = await Promise.all(readers);
  const expected = goals.length + writers * rounds * 2 * 0.8;
  for (const log of logs) {
    expect(log.map((change) => change.revno)).toEqual(
      Array.from({ length: expected }, (_, place) => start + 1 + place),
    );
    for (const goal of goals) {
      const lastSeen = log.findLast((change) => change.entityUuid === goal.uuid);
      expect(lastSeen?.doc?.display_name).toBe((await store.db.goals.get(goal.uuid)).displayName);
    }
  }
});

test('the number of stored changes is limited, independent of their age', async () => {
  for (let count = 0; count < 5; count += 1) await insertGoal(store.db);
  await store.changes.prune(86_400, 3);
  const { oldest, newest } = await store.changes.bounds();
  expect(newest - oldest + 1).toBe(3);
});

test('a backlog is numbered in short transactions, so that none exceeds its time limit', async () => {
  const { newest } = await store.changes.bounds();
  const session = await newSession();
  const sql = `INSERT INTO change_log (kind, entity_uuid, op) SELECT 'goal', place::text, 'create' FROM generate_series(1, 2500) AS place`;
  await session.query(sql);
  expect((await store.changes.bounds()).newest).toBe(newest + 2500);
  const { rows } = await session.query<{ most: number }>(
    'SELECT max(numbered)::integer AS most FROM (SELECT count(*) AS numbered FROM change_log GROUP BY xmin) AS calls',
  );
  expect(rows[0]?.most).toBeLessThanOrEqual(1000);
});

test('a statement on many actions is logged for each of them', async () => {
  const { plan } = await insertPlanWorld(store.db, { actions: 3 });
  const session = await newSession();
  let { newest } = await store.changes.bounds();
  /** Runs the statement on the actions of the plan. Returns the distinct logged changes, and their number. */
  async function logged(sql: string) {
    await session.query(sql, [plan.id]);
    const changes = await changesSince(newest);
    newest += changes.length;
    const kinds = changes.map(({ kind, op, oldState, doc }) => `${kind} ${op} ${oldState} ${doc?.state}`);
    return [changes.length, ...new Set(kinds), new Set(changes.map(({ entityUuid }) => entityUuid)).size];
  }
  const where = 'WHERE action_plan_id = $1';
  expect(await logged(`UPDATE actions SET state = 'ONGOING' ${where}`)).toEqual([
    3,
    'action update PENDING ONGOING',
    3,
  ]);
  expect(await logged(`UPDATE actions SET status_message = 'm' ${where}`)).toEqual([
    3,
    'action update null ONGOING',
    3,
  ]);
  expect(await logged(`UPDATE actions SET state = state ${where}`)).toEqual([0, 0]);
  expect(await logged(`UPDATE actions SET state = 'FAILED' ${where} AND false`)).toEqual([0, 0]);
  expect(await logged(`UPDATE actions SET deleted = id ${where}`)).toEqual([3, 'action delete ONGOING undefined', 3]);
  expect(await logged(`UPDATE actions SET state = 'FAILED' ${where}`)).toEqual([0, 0]);
  expect(await logged(`UPDATE actions SET deleted = 0 ${where}`)).toEqual([3, 'action create null FAILED', 3]);
  expect(await logged(`DELETE FROM actions ${where}`)).toEqual([3, 'action delete FAILED undefined', 3]);
});
