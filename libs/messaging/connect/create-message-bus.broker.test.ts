import { randomUUID } from 'node:crypto';
import { connect } from 'amqplib';
import { expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { messageCatalogue, planLaunch } from '#libs/messaging';
import { createMetrics } from '#libs/service-kit';
import { testServerUrl, useDatabase } from '#tests';
import { amqpNames } from '../amqp/topology.ts';
import { until } from '../testing/index.ts';
import { createMessageBus } from './index.ts';

const { url } = await useDatabase();

async function removeQueues(prefix: string): Promise<void> {
  const names = amqpNames(prefix);
  const connection = await connect(testServerUrl('rabbitmq'));
  const channel = await connection.createChannel();
  for (const definition of messageCatalogue) {
    await channel.deleteQueue(names.queue(definition));
    for (const seconds of definition.retrySeconds) await channel.deleteQueue(names.retryQueue(definition, seconds));
  }
  await channel.deleteQueue(names.deadQueue);
  for (const exchange of [names.work, names.retry, names.dead, names.events]) await channel.deleteExchange(exchange);
  await connection.close();
}

it.each(['RabbitMQ', 'Postgres'])('a plan launch of the real catalogue passes through %s', async (adapter) => {
  const prefix = `test-${randomUUID().slice(0, 8)}`;
  const metrics = createMetrics('test');
  const bus = await createMessageBus({
    amqpUrl: adapter === 'RabbitMQ' ? testServerUrl('rabbitmq') : undefined,
    databaseUrl: url,
    ...{ prefix, metrics, logger: silentLogger, appId: 'applier-1' },
  });
  const queues: string[] = [];
  const sent = {
    messageId: randomUUID(),
    type: planLaunch.type,
    body: { schema: 'plan.launch/1', plan_uuid: randomUUID(), launch_seq: 1, requested_by: 'admin' },
    attempt: 0,
    timestamp: new Date().toISOString(),
  };
  await bus.consume('plan.launch', async () => ({ kind: 'dead', reason: 'seen' }), { prefetch: 1 });
  expect(await bus.publish([sent])).toEqual([true]);
  await until('dead letter', async () => {
    queues.splice(0, 1, ...(await bus.deadLetters(1)).map(({ queue }) => queue));
    return queues.length === 1;
  });
  expect(queues).toEqual([`${prefix}.applier.plan.launch`]);
  expect((await metrics.expose()).body).toMatch(/vigil_bus_connected\{.*\} 1/);
  await bus.close();
  if (adapter === 'RabbitMQ') await removeQueues(prefix);
});
