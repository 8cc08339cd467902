import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { silentLogger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { noHistory } from './test-stack.ts';
import { useTestStack } from './use-vigil.ts';

const { VIGIL_TEST_AMQP_URL } = process.env;
const topic = `nova_${randomUUID().slice(0, 8)}.versioned_notifications`;
const stack = await useTestStack({
  simulator: ['--generate', 'hosts=4,instances=8,seed=3', '--speed', '300', ...noHistory],
  env: {
    VIGIL_SIMULATOR_AMQP_URL: VIGIL_TEST_AMQP_URL,
    VIGIL_SIMULATOR_NOTIFICATION_TOPIC: topic,
    VIGIL_NOVA_NOTIFICATIONS_URL: VIGIL_TEST_AMQP_URL,
    VIGIL_NOVA_NOTIFICATION_TOPICS: topic,
  },
});
const engine = await stack.start(['decision-engine']);

type Entry = Record<string, unknown>;

const model = async () => (await dataOf(stack.client.api.GET('/v1/data_model', {}))).context as unknown as Entry[];

async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (const giveUp = Date.now() + 60_000; Date.now() < giveUp; ) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it did not happen within 60 s');
}

const collections = () => engine.output().split('compute model collected').length - 1;

test('a server that another user moves is in the model on its new host, without a collection', async () => {
  const cloud = createOpenStackCloud(openStackConfigFromEnv(stack.env), { logger: silentLogger, clock: systemClock });
  await until(async () => ((await model()).length > 0 ? true : undefined));
  // A subscription collects the model once more.
  await expect.poll(() => engine.output()).toContain('compute model in sync with its notifications');
  const before = collections();
  expect(before).toBeGreaterThan(0);
  const [first] = await cloud.compute.listServers({});
  const hosts = (await model()).map((entry) => entry.node_hostname);
  const destination = hosts.find((name) => name !== first!.host) as string;

  await cloud.compute.liveMigrate(first!.uuid, destination);

  await until(async () => {
    const entry = (await model()).find(({ server_uuid }) => server_uuid === first!.uuid);
    return entry?.node_hostname === destination ? entry : undefined;
  });
  expect(collections()).toBe(before);
  await cloud.close();
});
