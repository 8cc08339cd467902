import { expect, test } from 'vitest';
import { insertGoal, insertPlanWorld, useStore } from '#tests';

const { store, sql: other } = await useStore({ poolSize: 4 });

const since = (revno: number, upTo: number) => ({ epoch: 1, since: revno, upTo });

test('a snapshot has every change up to its position and none after it, also with concurrent readers', async () => {
  await insertGoal(store.db, () => ({ name: 'seen' }));
  await other.query('BEGIN');
  await other.query(
    `INSERT INTO goals (uuid, name, display_name, efficacy_specification) VALUES (gen_random_uuid(), 'open', 'x', '[]')`,
  );
  const { newest } = await store.changes.bounds();
  await store.changeStream.snapshot(async (unit, at) => {
    expect(at).toEqual({ epoch: 1, revno: newest });
    await other.query('COMMIT');
    await insertGoal(store.db, () => ({ name: 'later' }));
    expect((await store.changes.bounds()).newest).toBe(newest + 2);
    expect((await unit.goals.list()).map((goal) => goal.name)).toEqual(['seen']);
  });
  await store.changeStream.snapshot(async (unit, at) => {
    expect(at.revno).toBe(newest + 2);
    expect(await unit.goals.count()).toBe(3);
  });
});

test('concurrent snapshots do not wait for each other for connections', async () => {
  const places = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      store.changeStream.snapshot(async (unit, at) => {
        if (index % 3 === 0) await insertGoal(store.db);
        await unit.goals.list();
        return at.revno;
      }),
    ),
  );
  expect(Math.max(...places)).toBeLessThanOrEqual((await store.changes.bounds()).newest);
});

test('changes of a window are merged per entity: creation, last number and earlier states', async () => {
  const { newest } = await store.changes.bounds();
  const { audit, plan } = await insertPlanWorld(store.db);
  await store.db.actionPlans.transition(plan.uuid, 'start');
  await store.db.audits.softDelete(audit.uuid);
  const { newest: end } = await store.changes.bounds();
  const changed = await store.changeStream.changed(since(newest, end), 100);
  expect(changed.map(({ kind, created }) => [kind, created])).toEqual([
    ['goal', newest + 1],
    ['strategy', newest + 2],
    ['action', newest + 5],
    ['action_plan', newest + 4],
    ['audit', newest + 3],
  ]);
  const late = await store.changeStream.changed(since(newest + 5, end), 100);
  expect(late.map(({ kind, created, states }) => [kind, created, states])).toEqual([
    ['action_plan', null, [[newest + 6, plan.state]]],
    ['audit', null, [[newest + 7, audit.state]]],
  ]);
  expect(await store.changeStream.changed({ ...since(newest, end), after: end - 1 }, 1)).toHaveLength(1);
});

test('a service that stops or resumes its heartbeat is logged once, heartbeats are not', async () => {
  await store.db.services.beat('watcher-applier', 'host');
  expect(await store.changeStream.noteServiceStatuses()).toBe(0);
  await other.query(`UPDATE services SET last_seen_up = now() - interval '1 hour'`);
  expect(await Promise.all([1, 2].map(() => store.changeStream.noteServiceStatuses()))).toContain(1);
  expect(await store.changeStream.noteServiceStatuses()).toBe(0);
  await store.db.services.beat('watcher-applier', 'host');
  expect(await store.changeStream.noteServiceStatuses()).toBe(1);
});

test('a service is alive up to 90 seconds before and after its last heartbeat', async () => {
  await store.db.services.beat('watcher-applier', 'edge');
  // In one transaction, so the time is constant.
  await other.query('BEGIN');
  const statusAt = async (seconds: number) => {
    await other.query(`UPDATE services SET last_seen_up = now() + $1 * interval '1 second' WHERE host = 'edge'`, [
      seconds,
    ]);
    await other.query('SELECT note_service_statuses(90)');
    const { rows } = await other.query(
      `SELECT status FROM service_statuses JOIN services ON services.id = service_id WHERE host = 'edge'`,
    );
    return rows[0].status;
  };
  const statuses = [];
  for (const seconds of [-89, -90, -91, 0, 90, 91]) statuses.push(await statusAt(seconds));
  await other.query('ROLLBACK');
  expect(statuses).toEqual(['ACTIVE', 'ACTIVE', 'FAILED', 'ACTIVE', 'ACTIVE', 'FAILED']);
});

test('watchers have a limit per owner, one position change per version, and a stop for all processes', async () => {
  const { watchers } = store.changeStream;
  const id = '0b7c1a0e-6f6b-4f0c-9d5c-0a4a5a1e0001';
  const create = (uuid: string, owner: string) => watchers.create({ id: uuid, owner, filter: {} }, 1);
  expect(await create(id, 'a')).toBe(true);
  expect(await create('0b7c1a0e-6f6b-4f0c-9d5c-0a4a5a1e0002', 'a')).toBe(false);
  expect(await create('0b7c1a0e-6f6b-4f0c-9d5c-0a4a5a1e0003', 'b')).toBe(true);
  const place = { position: { epoch: 1, revno: 5 }, pageAfter: null, pagedUntil: 5 };
  expect(await watchers.move(id, 0, place)).toBe(true);
  expect(await watchers.move(id, 0, place)).toBe(false);
  expect(await watchers.use(id)).toMatchObject({ position: { epoch: 1, revno: 5 }, version: 1, isStopped: false });
  await watchers.stop(id, 'b');
  expect(await watchers.stopped([id])).toEqual([]);
  await watchers.stop(id, 'a');
  expect(await watchers.stopped([id])).toEqual([id]);
  expect(await watchers.use(id)).toMatchObject({ isStopped: true });
  expect(await create('0b7c1a0e-6f6b-4f0c-9d5c-0a4a5a1e0004', 'a')).toBe(true);
  await other.query(`UPDATE watchers SET last_seen_at = now() - interval '6 minutes' WHERE owner = 'b'`);
  expect(await watchers.use('0b7c1a0e-6f6b-4f0c-9d5c-0a4a5a1e0003')).toMatchObject({ isStopped: true });
});
