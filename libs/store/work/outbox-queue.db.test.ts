import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { silentLogger } from '#libs/domain';
import type { Envelope } from '#libs/messaging';
import { useStore } from '#tests';
import type { OutboxMessage } from './outbox.ts';
import type { OutboxRow } from './outbox-queue.ts';
import { createOutboxRelay } from './outbox-relay.ts';

const { store, sql } = await useStore();

afterEach(async () => {
  await sql.query('DELETE FROM outbox');
});

const message = (place: number): OutboxMessage => ({
  eventId: randomUUID(),
  type: 'plan.launch',
  body: { place },
  requestId: `req-${place}`,
});

async function add(count: number): Promise<void> {
  for (let place = 0; place < count; place += 1) await store.db.outbox.add(message(place));
}

const placesOf = (rows: OutboxRow[]) => rows.map((row) => row.body.place);
const confirmAll = async (rows: OutboxRow[]) => rows.map((): true => true);

test('messages are delivered once, in the order of their addition', async () => {
  await add(5);
  const seen: OutboxRow[] = [];
  const publish = async (rows: OutboxRow[]) => {
    seen.push(...rows);
    return confirmAll(rows);
  };
  expect(await store.outboxQueue.drain(3, publish)).toBe(3);
  expect(await store.outboxQueue.drain(3, publish)).toBe(2);
  expect(await store.outboxQueue.drain(3, publish)).toBe(0);
  expect(placesOf(seen)).toEqual([0, 1, 2, 3, 4]);
  expect(seen[2]).toMatchObject({ type: 'plan.launch', requestId: 'req-2', attempts: 0 });
});

test('a message of a rolled-back transaction is never sent, and one can be added only once', async () => {
  await expect(
    store.transaction(async (unit) => {
      await unit.outbox.add(message(0));
      throw new Error('on purpose');
    }),
  ).rejects.toThrow('on purpose');
  expect(await store.outboxQueue.drain(10, confirmAll)).toBe(0);
  const twice = message(1);
  await store.db.outbox.add(twice);
  await expect(store.db.outbox.add(twice)).rejects.toMatchObject({ code: 'already_exists' });
});

test('concurrent drainers share the messages without a duplicate', async () => {
  await add(60);
  const batches: OutboxRow[][] = [];
  const publish = async (rows: OutboxRow[]) => {
    batches.push(rows);
    await expect.poll(() => batches.length).toBeGreaterThanOrEqual(3);
    return confirmAll(rows);
  };
  const drain = async () => {
    while ((await store.outboxQueue.drain(7, publish)) > 0);
  };
  await Promise.all([drain(), drain(), drain()]);
  while ((await store.outboxQueue.drain(100, publish)) > 0);
  const ids = batches.flat().map((row) => row.id);
  expect(ids).toHaveLength(60);
  expect(new Set(ids).size).toBe(60);
  for (const batch of batches) {
    expect(batch.map((row) => row.id)).toEqual(batch.map((row) => row.id).sort((a, b) => a - b));
  }
  expect(batches.filter((batch) => batch.length > 0).length).toBeGreaterThan(3);
});

test('a failed message waits longer each time and keeps the reason, and the others continue', async () => {
  await add(2);
  const failFirst = async (rows: OutboxRow[]) =>
    rows.map((row) => (row.body.place === 0 ? 'no route' : (true as const)));
  for (const [round, wait] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
    const before = (await sql.query('SELECT now()')).rows[0].now;
    expect(await store.outboxQueue.drain(10, failFirst)).toBe(round === 0 ? 2 : 1);
    // Counted from the attempt, which was between the two queries.
    const { rows } = await sql.query(
      `SELECT attempts, last_error, extract(epoch FROM next_attempt_at - $1)::float8 AS most,
         extract(epoch FROM next_attempt_at - now())::float8 AS least FROM outbox WHERE published_at IS NULL`,
      [before],
    );
    expect(rows).toMatchObject([{ attempts: round + 1, last_error: 'no route' }]);
    expect(rows[0].most).toBeGreaterThan(wait - 0.01);
    expect(rows[0].least).toBeLessThanOrEqual(wait);
    await sql.query(`UPDATE outbox SET next_attempt_at = now() + interval '1 hour' WHERE published_at IS NULL`);
    expect(await store.outboxQueue.drain(10, confirmAll)).toBe(0);
    await sql.query('UPDATE outbox SET next_attempt_at = now() WHERE published_at IS NULL');
  }
});

test('a publisher that throws or confirms too little counts as failed', async () => {
  await add(2);
  await store.outboxQueue.drain(10, () => Promise.reject(new Error('broker gone')));
  const { rows } = await sql.query('SELECT last_error FROM outbox ORDER BY id');
  expect(rows.map((row) => row.last_error)).toEqual(['broker gone', 'broker gone']);
  await sql.query('UPDATE outbox SET next_attempt_at = now()');
  await store.outboxQueue.drain(10, async () => [true]);
  expect((await store.outboxQueue.backlog()).count).toBe(1);
});

test('the backlog has the number of waiting rows and their age, and old published rows are pruned', async () => {
  expect(await store.outboxQueue.backlog()).toEqual({ count: 0, oldestSeconds: 0 });
  await add(3);
  const past = `now() - interval '100 seconds'`;
  await sql.query(`UPDATE outbox SET created_at = ${past}, next_attempt_at = ${past} WHERE body ->> 'place' = '1'`);
  const backlog = await store.outboxQueue.backlog();
  expect(backlog.count).toBe(3);
  expect(backlog.oldestSeconds).toBeGreaterThanOrEqual(100);
  await store.outboxQueue.drain(2, confirmAll);
  expect(await store.outboxQueue.prune(60)).toBe(0);
  expect(await store.outboxQueue.prune(0)).toBe(2);
  expect((await store.outboxQueue.backlog()).count).toBe(1);
});

test('delayed messages are not in the backlog until they are due', async () => {
  await add(2);
  await sql.query(
    `UPDATE outbox SET created_at = now() - interval '1 hour', next_attempt_at = now() + interval '1 hour'`,
  );
  expect(await store.outboxQueue.backlog()).toEqual({ count: 0, oldestSeconds: 0 });
  await sql.query('UPDATE outbox SET next_attempt_at = now()');
  const due = await store.outboxQueue.backlog();
  expect(due.count).toBe(2);
  expect(due.oldestSeconds).toBeLessThan(60);
  await sql.query(`UPDATE outbox SET attempts = 1, next_attempt_at = now() + interval '1 minute'`);
  expect((await store.outboxQueue.backlog()).oldestSeconds).toBeGreaterThan(3000);
});

test('a commit with new rows wakes listeners, a rollback does not', async () => {
  const wake = vi.fn();
  const stop = await store.outboxQueue.onAdded(wake);
  await store.transaction(async (unit) => {
    await unit.outbox.add(message(0));
    await unit.outbox.add(message(1));
    // The commit of another transaction wakes, this one does not yet.
    await add(1);
    await expect.poll(() => wake.mock.calls.length).toBeGreaterThan(0);
    expect(wake).toHaveBeenCalledTimes(1);
  });
  await expect.poll(() => wake.mock.calls.length).toBe(2);
  const rolledBack = store.transaction(async (unit) => {
    await unit.outbox.add(message(2));
    throw new Error('on purpose');
  });
  await expect(rolledBack).rejects.toThrow('on purpose');
  await add(1);
  await expect.poll(() => wake.mock.calls.length).toBeGreaterThan(2);
  expect(wake).toHaveBeenCalledTimes(3);
  const later = vi.fn();
  const stopLater = await store.outboxQueue.onAdded(later);
  await stop();
  await add(1);
  await expect.poll(() => later.mock.calls.length).toBe(1);
  await stopLater();
  expect(wake).toHaveBeenCalledTimes(3);
});

test('two relays send the messages of concurrent transactions, each once', async () => {
  const sent: Envelope[] = [];
  const bus = {
    system: 'postgresql' as const,
    publish: async (envelopes: Envelope[]) => {
      sent.push(...envelopes);
      return envelopes.map((): true => true);
    },
  };
  const deps = { outboxQueue: store.outboxQueue, bus, logger: silentLogger, clock: { now: () => Date.now() } };
  const relays = [createOutboxRelay(deps), createOutboxRelay(deps)];
  for (const relay of relays) relay.start();
  await Promise.all([add(20), add(20), add(20)]);
  await expect.poll(() => sent.length).toBeGreaterThanOrEqual(60);
  await Promise.all(relays.map((relay) => relay.stop()));
  expect(new Set(sent.map((envelope) => envelope.messageId)).size).toBe(60);
  expect(sent).toHaveLength(60);
  expect((await store.outboxQueue.backlog()).count).toBe(0);
});

test('a listener with a lost connection reconnects and wakes', async () => {
  const wake = vi.fn();
  const stop = await store.outboxQueue.onAdded(wake);
  await sql.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'vigil-listen' AND datname = current_database()`,
  );
  await expect.poll(() => wake.mock.calls.length).toBe(1);
  await add(1);
  await expect.poll(() => wake.mock.calls.length).toBe(2);
  await stop();
});
