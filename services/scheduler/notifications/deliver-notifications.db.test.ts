import { createHmac } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { NotificationDelivery, Store } from '#libs/store';
import { useStore } from '#tests';
import { insertTarget, startDelivering } from '../testing/delivery-scene.ts';
import { hang, respond, startReceiver } from '../testing/recording-receiver.ts';

const { store, sql } = await useStore();
beforeEach(async () => {
  await sql.query('DELETE FROM notification_targets');
  await sql.query('DELETE FROM leases');
});

let announced = 0;
const announce = () => {
  announced += 1;
  const data = { plan: { state: 'ONGOING', actions: 3, audit: { name: 'balance' } } };
  return store.db.notificationEvents.announce({ kind: 'plan.started', subject: 'p', key: String(announced), data });
};
const deliveries = (targetId: number) => store.db.notificationDeliveries.list({ targetId, limit: 100 });
const poll = { timeout: 30_000 };
const until = (targetId: number, fields: Partial<NotificationDelivery>) =>
  expect.poll(async () => (await deliveries(targetId))[0], poll).toMatchObject(fields);
/** Ends back-offs and leases. */
const hurry = () => sql.query(`UPDATE notification_deliveries SET next_attempt_at = now() WHERE state = 'PENDING'`);

it('a receiver can verify the signature of a notification over id, time and body', async () => {
  const receiver = await startReceiver();
  const { id, secret } = await insertTarget(store, receiver.url(), { bearerToken: 'bearer' });
  await announce();
  startDelivering(store);
  await until(id, { state: 'DELIVERED', statusCode: 204, attempts: 1, reason: null });
  const [{ headers, body, method, path } = { headers: {}, body: '', method: '', path: '' }] = receiver.requests;
  expect([method, path, headers.authorization]).toEqual(['POST', '/hook', 'Bearer bearer']);
  const [delivery] = await deliveries(id);
  expect(headers['webhook-id']).toBe(delivery?.uuid);
  expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(300);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  expect(JSON.parse(body)).toMatchObject({
    kind: 'plan.started',
    text: 'Plan p of audit balance has started: 3 actions',
  });
  expect((await store.db.notificationTargets.list())[0]?.deliveredAt).not.toBeNull();
});

it('a refused notification waits for its back-off, and is then sent with the same id', async () => {
  const receiver = await startReceiver([respond(500), respond(503, { 'Retry-After': '120' })]);
  const { id } = await insertTarget(store, receiver.url());
  await announce();
  startDelivering(store);
  await until(id, { state: 'PENDING', attempts: 1, statusCode: 500, reason: 'the receiver responded with 500' });
  const waiting = async () =>
    (await sql.query('SELECT extract(epoch FROM next_attempt_at - now())::float8 AS s FROM notification_deliveries'))
      .rows[0].s;
  expect(await waiting()).toBeLessThanOrEqual(10);
  await hurry();
  await until(id, { state: 'PENDING', attempts: 2, statusCode: 503 });
  expect(await waiting()).toBeGreaterThan(60);
  await hurry();
  await until(id, { state: 'DELIVERED', attempts: 3 });
  const [first, second, third] = receiver.requests;
  for (const one of [second, third]) {
    expect(one?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(one?.body).toBe(first?.body);
  }
});

it('a notification without attempts left is a dead letter, and can be sent again', async () => {
  const receiver = await startReceiver([respond(500), respond(500)]);
  const { id } = await insertTarget(store, receiver.url());
  await announce();
  startDelivering(store, { maxAttempts: () => 2 });
  await until(id, { attempts: 1, statusCode: 500 });
  await hurry();
  await until(id, { state: 'DEAD', attempts: 2, reason: 'the receiver responded with 500; no attempts left' });
  const [letter] = await deliveries(id);
  expect((await store.db.notificationTargets.list())[0]).toMatchObject({ dead: 1, pending: 0 });
  expect(await store.db.notificationDeliveries.resend(letter?.uuid ?? '', 'ann')).toBe(true);
  await until(id, { state: 'DELIVERED', attempts: 1, resentBy: 'ann' });
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(letter?.uuid));
});

it('a permanent refusal becomes a dead letter immediately', async () => {
  const receiver = await startReceiver([respond(404)]);
  const { id } = await insertTarget(store, receiver.url());
  await announce();
  startDelivering(store);
  await until(id, { state: 'DEAD', attempts: 1, statusCode: 404, reason: 'the receiver refused it with 404' });
});

it('a redirect to a private address is not followed', async () => {
  const inner = await startReceiver();
  const receiver = await startReceiver([respond(307, { Location: `http://127.0.0.1:${inner.port}/secret` })]);
  const { id } = await insertTarget(store, receiver.url());
  await announce();
  startDelivering(store);
  await until(id, { state: 'DEAD', statusCode: 307, reason: 'redirects are not followed (307)' });
  expect(inner.requests).toEqual([]);
});

it.each([
  ['internal.test', 'https://internal.test:PORT/'],
  ['127.0.0.1', 'http://127.0.0.1:PORT/'],
  ['::ffff:127.0.0.1', 'http://[::ffff:127.0.0.1]:PORT/'],
])('a target at %s is not called without its name in the configuration', async (_host, url) => {
  const receiver = await startReceiver();
  const { id } = await insertTarget(store, url.replace('PORT', String(receiver.port)));
  await announce();
  startDelivering(store);
  await until(id, { state: 'DEAD', reason: expect.stringContaining('a network that must not be called') });
  expect(receiver.requests).toEqual([]);
});

it('a name is resolved once for a connection, so that a second result cannot redirect it', async () => {
  const receiver = await startReceiver();
  const { id } = await insertTarget(store, receiver.url());
  await announce();
  const requested: string[] = [];
  const resolve = async (host: string) => {
    requested.push(host);
    return [{ address: requested.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
  };
  startDelivering(store, { resolve });
  await until(id, { state: 'DELIVERED' });
  expect(requested).toEqual(['receiver.test']);
});

it('a target that hangs gets two concurrent notifications, and delays no other', async () => {
  const hanging = await startReceiver(Array(20).fill(hang));
  const receiver = await startReceiver();
  const slow = await insertTarget(store, hanging.url('/', 'other.test'));
  const quick = await insertTarget(store, receiver.url());
  for (let count = 0; count < 10; count += 1) await announce();
  startDelivering(store, { timeoutMs: 60_000 });
  await expect.poll(() => receiver.requests.length, poll).toBe(10);
  await expect
    .poll(async () => (await deliveries(quick.id)).every(({ state }) => state === 'DELIVERED'), poll)
    .toBe(true);
  expect(hanging.requests).toHaveLength(2);
  const open = await deliveries(slow.id);
  expect(open.filter(({ attempts }) => attempts > 0)).toHaveLength(2);
});

it('a target that does not respond in time is tried again later', async () => {
  const receiver = await startReceiver([hang]);
  const { id } = await insertTarget(store, receiver.url());
  await announce();
  startDelivering(store, { timeoutMs: 200 });
  await until(id, { state: 'PENDING', attempts: 1, reason: 'the receiver did not respond in time' });
  await hurry();
  await until(id, { state: 'DELIVERED', attempts: 2 });
});

it('an endless response is cut off, and its status counts', async () => {
  const receiver = await startReceiver([
    (response) => {
      response.writeHead(200);
      const write = () => void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(write)));
      write();
    },
  ]);
  const { id } = await insertTarget(store, receiver.url());
  await announce();
  startDelivering(store);
  await until(id, { state: 'DELIVERED', statusCode: 200 });
});

it('a process that ends between the response and its record leaves a second delivery with the same id', async () => {
  const receiver = await startReceiver();
  const { id } = await insertTarget(store, receiver.url());
  await announce();
  const lost: Store = {
    ...store,
    db: {
      ...store.db,
      notificationDeliveries: {
        ...store.db.notificationDeliveries,
        endAttempt: () => Promise.reject(new Error('the process has ended')),
      },
    },
  };
  const stop = startDelivering(lost);
  await expect.poll(() => receiver.requests.length, poll).toBe(1);
  await stop();
  await until(id, { state: 'PENDING', attempts: 1 });
  await hurry();
  startDelivering(store);
  await until(id, { state: 'DELIVERED', attempts: 2 });
  const [first, second] = receiver.requests;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toBe(first?.body);
});

it('of two schedulers one delivers at a time, and the other one continues', async () => {
  const receiver = await startReceiver();
  const { id } = await insertTarget(store, receiver.url());
  const stops = [startDelivering(store), startDelivering(store)];
  await announce();
  await until(id, { state: 'DELIVERED' });
  await stops[0]?.();
  await announce();
  await expect.poll(() => receiver.requests.length, poll).toBe(2);
  await until(id, { state: 'DELIVERED', attempts: 1 });
});
