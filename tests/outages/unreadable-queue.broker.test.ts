import { randomUUID } from 'node:crypto';
import { connect } from 'amqplib';
import { expect, onTestFinished, test } from 'vitest';
import { type Logger, silentLogger } from '#libs/domain';
import { createAmqpBus } from '#libs/messaging/amqp';
import { ack, numberOf, task, taskDefinition, until } from '#libs/messaging/testing';
import { startKillableRabbitmq } from '../servers/killable-rabbitmq.ts';
import { findCacheDir } from '../servers/start-test-servers.ts';

test('queues that RabbitMQ lists but cannot read are made again, those of requests too; nothing is removed before', async () => {
  const server = await startKillableRabbitmq({ cacheDir: await findCacheDir(), logger: silentLogger });
  onTestFinished(server.stop);
  const definition = taskDefinition();
  const prefix = `lost-${randomUUID().slice(0, 8)}`;
  const queue = `${prefix}.${definition.queue}`;
  const reported: string[] = [];
  const note = (_fields: object, text: string) => void reported.push(text);
  const logger: Logger = { ...silentLogger, warn: note, error: note, child: () => logger };
  const bus = await createAmqpBus({
    ...{ url: server.url, prefix, appId: 'test', logger, catalogue: [definition], unreadableMs: 1500 },
  });
  onTestFinished(() => bus.close());
  const admin = await connect(server.url);
  onTestFinished(() => admin.close());

  const answering = await bus.respond('weather', async () => ({ sun: true }));
  onTestFinished(() => answering.stop());

  // The queue is readable now: its declaration did not lose it.
  const channel = await admin.createChannel();
  await until('the queue can be read', async () => (await channel.get(queue)) === false);
  await server.loseMembers(queue);
  await server.loseMembers(`${prefix}.rpc.weather`);
  expect(await bus.publish([task(1)])).toEqual([expect.stringContaining('did not confirm')]);

  const taken: number[] = [];
  const consumer = await bus.consume(
    definition.type,
    async (message) => {
      taken.push(numberOf(message));
      return ack;
    },
    { prefetch: 1 },
  );
  onTestFinished(() => consumer.stop());
  await until(
    'a message arrives',
    async () => {
      await bus.publish([task(2)]);
      return taken.includes(2);
    },
    150_000,
  );
  expect(reported.filter((text) => text.includes('cannot read this queue')).length).toBeGreaterThanOrEqual(3);
  expect(reported.filter((text) => text.includes('queue recreated'))).toHaveLength(2);

  await until('a question is answered', () =>
    bus.request('weather', {}, { timeoutMs: 2000 }).then(
      ({ sun }) => sun === true,
      () => false,
    ),
  );
  await until('the bus works', () =>
    bus.probe().then(
      () => true,
      () => false,
    ),
  );
});
