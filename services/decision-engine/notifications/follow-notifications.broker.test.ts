import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createNotificationExchange, type NotificationExchange } from '#libs/messaging/amqp';
import { createMetrics } from '#libs/service-kit';
import { createTcpProxy, testServerUrl } from '#tests';
import { createModelKeeper } from '../model/model-keeper.ts';
import { followNotifications } from './follow-notifications.ts';

const exchange = `cells_${randomUUID().slice(0, 8)}`;
const topic = `${exchange}.versioned_notifications`;
let sender: NotificationExchange;

beforeAll(async () => {
  sender = await createNotificationExchange({
    url: testServerUrl('rabbitmq'),
    logger: silentLogger,
    appId: 'test-sender',
    exchange,
  });
});
afterAll(() => sender?.close());

async function until(fits: () => boolean): Promise<void> {
  for (const giveUp = Date.now() + 60_000; !fits(); ) {
    if (Date.now() > giveUp) throw new Error('it did not happen within 60 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a model follows the brokers of all cells, and is not taken as followed while one of them is unavailable', async () => {
  const direct = new URL(testServerUrl('rabbitmq'));
  const proxy = await createTcpProxy({ host: direct.hostname, port: Number(direct.port) });
  const second = new URL(direct);
  second.port = String(proxy.port);
  const followed: boolean[] = [];
  const keeper = createModelKeeper({
    collect: async () => ({ takenAtMs: Date.now(), complete: true, gaps: [], heard: 0 }),
    clock: { now: Date.now },
    logger: silentLogger,
    metrics: createMetrics('test'),
  });
  const model = { ...keeper, setFollowed: (is: boolean) => void followed.push(is) };
  const follower = await followNotifications(
    {
      name: 'compute',
      model,
      createApplier: (onResult) => (snapshot) => {
        onResult('applied');
        return { ...snapshot, heard: snapshot.heard + 1 };
      },
      logger: silentLogger,
      metrics: createMetrics('test'),
    },
    { urls: [direct.href, second.href], topics: [topic], appId: 'test' },
  );
  await until(() => followed.at(-1) === true);
  // The first of the two connections alone was not enough.
  expect(followed).toEqual([false, true]);

  await until(() => keeper.latest() !== null);
  const content = Buffer.from(JSON.stringify({ event_type: 'service.update', payload: {} }));
  await sender.send({ messageId: randomUUID(), routingKey: 'versioned_notifications.info', content });
  await until(() => keeper.latest()?.heard === 2);

  await proxy.refuse();
  await until(() => followed.at(-1) === false);
  await proxy.accept();
  await until(() => followed.at(-1) === true);
  await follower.stop();
  await proxy.close();
});

test('running migrations are polled until they have ended, without an event of their end', async () => {
  let collections = 0;
  const model = createModelKeeper({
    collect: async () => ({ takenAtMs: Date.now(), complete: true, gaps: [], moving: ++collections < 4 }),
    isAtRest: ({ moving }) => !moving,
    clock: { now: Date.now },
    logger: silentLogger,
    metrics: createMetrics('test'),
  });
  const follower = await followNotifications(
    {
      name: 'storage',
      model,
      createApplier: () => (snapshot) => snapshot,
      logger: silentLogger,
      metrics: createMetrics('test'),
      checkAgainMs: 10,
    },
    { urls: [testServerUrl('rabbitmq')], topics: [topic], appId: 'test' },
  );
  await until(() => model.latest()?.moving === false);
  expect(collections).toBe(4);
  await follower.stop();
});
