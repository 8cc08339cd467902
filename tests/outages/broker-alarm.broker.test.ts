import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { type Envelope, type MessageBus, planLaunch } from '#libs/messaging';
import { createAmqpBus } from '#libs/messaging/amqp';
import { systemClock } from '#libs/service-kit';
import { createOutboxRelay, createStore, type Store } from '#libs/store';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { type KillableRabbitmq, startKillableRabbitmq } from '../servers/killable-rabbitmq.ts';
import { findCacheDir } from '../servers/start-test-servers.ts';

let broker: KillableRabbitmq;
let database: TestDatabase;
let store: Store;
let sql: pg.Client;

beforeAll(async () => {
  broker = await startKillableRabbitmq({ cacheDir: await findCacheDir(), logger: silentLogger });
  database = await createTestDatabase();
  store = await createStore({ url: database.url, logger: silentLogger });
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
}, 180_000);

afterAll(async () => {
  await sql.end();
  await store.close();
  await database.drop();
  await broker.stop();
});

function openBus(appId: string): Promise<MessageBus> {
  return createAmqpBus({ url: broker.url, logger: silentLogger, appId });
}

function launch(number: number): Envelope {
  const body = { schema: 'plan.launch/1', plan_uuid: randomUUID(), launch_seq: number, requested_by: null };
  return { messageId: randomUUID(), type: planLaunch.type, body, attempt: 0, timestamp: new Date().toISOString() };
}

/** Values shared by all waiting rows of the outbox. */
async function waiting(): Promise<{ attempts: number; reason: string }> {
  const { rows } = await sql.query(
    'SELECT min(attempts) AS attempts, min(last_error) AS reason FROM outbox WHERE published_at IS NULL',
  );
  return rows[0];
}

test('while the broker has an alarm attempts are counted and acknowledgements continue; then each message arrives about once', async () => {
  const consuming = await openBus('consumer');
  const deliveries = new Map<string, number>();
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const consumer = await consuming.consume(
    planLaunch.type,
    async ({ messageId, body }) => {
      deliveries.set(messageId, (deliveries.get(messageId) ?? 0) + 1);
      if (body.launch_seq === 1) await finished;
      return { kind: 'ack' };
    },
    { prefetch: 1 },
  );
  // The first is being handled when the alarm starts. The others wait for its acknowledgement.
  expect(await consuming.publish([launch(1), launch(2), launch(3)])).toEqual([true, true, true]);
  await expect.poll(() => deliveries.size).toBe(1);
  await broker.setMemoryAlarm(true);

  for (const number of [11, 12, 13, 14, 15]) {
    const { messageId, type, body } = launch(number);
    await store.db.outbox.add({ eventId: messageId, type, body });
  }
  const relayBus = await openBus('relay');
  const { outboxQueue } = store;
  const relay = createOutboxRelay({ outboxQueue, bus: relayBus, logger: silentLogger, clock: systemClock });
  relay.start();
  // This process also publishes during the alarm, and must still acknowledge.
  const refused = consuming.publish([launch(4)]);
  await expect.poll(async () => (await waiting()).attempts).toBeGreaterThanOrEqual(1);
  finish();
  await expect.poll(() => deliveries.size).toBe(3);
  expect(await refused).toEqual([expect.stringMatching(/RabbitMQ/)]);
  await expect.poll(async () => (await waiting()).attempts, { timeout: 60_000 }).toBeGreaterThanOrEqual(4);
  expect((await waiting()).reason).toMatch(/RabbitMQ does not accept messages/);
  await broker.setMemoryAlarm(false);

  const left = async () => (await outboxQueue.backlog()).count;
  await expect.poll(left, { timeout: 90_000 }).toBe(0);
  await expect.poll(() => deliveries.size).toBe(3 + 1 + 5);
  await relay.stop();
  await consumer.stop();
  // Only the batch that was being published at the start of the alarm may arrive twice.
  expect(Math.max(...deliveries.values())).toBeLessThanOrEqual(2);
  await Promise.all([relayBus.close(), consuming.close()]);
}, 240_000);
