// @needs postgres, program
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ClusterPast, dataOf } from '#libs/client';
import { silentLogger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { atEnd } from '#tests';
import { cloudEnv } from './cloud-env.ts';
import { noHistory } from './test-stack.ts';
import { useTestStack } from './use-vigil.ts';

const stack = await useTestStack({
  simulator: ['--generate', 'hosts=6,instances=40,zones=1,seed=5', '--speed', '60', ...noHistory],
  env: { VIGIL_MODEL_MAX_AGE_SECONDS: '0' },
});
await stack.start(['decision-engine']);
const config = openStackConfigFromEnv(cloudEnv(stack.simulator.url, 'admin', 'admin'));
const cloud = createOpenStackCloud(config, { logger: silentLogger, clock: systemClock });
atEnd(() => cloud.close());

const pastAt = (at: string): Promise<ClusterPast> =>
  dataOf(stack.client.api.GET('/v1/cluster/past', { params: { query: { at } } }));

test('a migration by hand is taken back at a moment before it, and not at one after it', async () => {
  const servers = await cloud.compute.listServers({});
  const server = servers.find(({ status, host }) => status === 'ACTIVE' && host !== null);
  if (!server?.host) throw new Error('no server runs');
  const before = new Date().toISOString();
  await pause(1100);
  await cloud.compute.liveMigrate(server.uuid, null);
  const hostNow = async () => {
    const found = await cloud.compute.getServer(server.uuid);
    return found?.taskState === null ? found.host : server.host;
  };
  await expect.poll(hostNow, { timeout: 60_000 }).not.toBe(server.host);
  const to = await hostNow();

  // A dry run collects the model again.
  const maintenance = { goal: 'cluster_maintaining', strategy: 'host_maintenance' };
  const parameters = { maintenance_node: server.host };
  await dataOf(stack.client.api.POST('/v1/audits/preview', { body: { ...maintenance, parameters } }));
  const past = await pastAt(before);
  expect(past.instances).toMatchObject({ before: servers.length, now: servers.length, moved: 1, created_since: 0 });
  const hosts = new Map(past.hosts.map((host) => [host.hostname, host]));
  expect(hosts.get(server.host)).toMatchObject({ arrived: 0, left: 1 });
  expect(hosts.get(to ?? '')).toMatchObject({ arrived: 1, left: 0 });
  for (const { hostname, before: then } of past.hosts)
    expect([hostname, then.instances]).toEqual([hostname, servers.filter(({ host }) => host === hostname).length]);
  expect((await pastAt(new Date().toISOString())).instances).toMatchObject({ moved: 0 });
}, 180_000);
