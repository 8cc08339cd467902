import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { silentLogger as logger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock as clock, createMetrics } from '#libs/service-kit';
import { createTcpProxy, testServerUrl } from '#tests';
import { createPortChangeDetector } from '../../simulator/notifications/port-change-detector.ts';
import { startNotifier } from '../../simulator/notifications/start-notifier.ts';
import { startSimulator } from '../../simulator/start-simulator.ts';
import { smallWorld } from '../../simulator/testing/simulation-fixture.ts';
import { collectComputeModel } from '../collectors/compute-collector.ts';
import { createPortReader } from '../collectors/port-reader.ts';
import { createModelKeeper } from '../model/model-keeper.ts';
import { followNotifications } from './follow-notifications.ts';
import { createPortEventApplier } from './port-event-applier.ts';

const simulator = await startSimulator(
  { world: smallWorld(), writer: null, clock, newUuid: randomUUID, logger },
  { password: 'vigil' },
);
const login = { OS_AUTH_URL: simulator.authUrl, OS_USERNAME: 'admin', OS_PASSWORD: 'vigil', OS_PROJECT_NAME: 'admin' };
const cloud = createOpenStackCloud(openStackConfigFromEnv(login), { logger, clock });
const direct = new URL(testServerUrl('rabbitmq'));
const proxy = await createTcpProxy({ host: direct.hostname, port: Number(direct.port) });
const topic = `neutron_${randomUUID().slice(0, 8)}.notifications`;
const notifier = await startNotifier(
  { changes: createPortChangeDetector(simulator.simulation.state), clock, newUuid: randomUUID, logger },
  { url: direct.href, topic, service: 'neutron' },
);
const ports = createPortReader({ clock, maxAgeMs: 3_600_000 });
let collections = 0;
const model = createModelKeeper({
  collect(signal) {
    collections += 1;
    return collectComputeModel(cloud, { clock, signal, ports });
  },
  clock,
  logger,
  metrics: createMetrics('test'),
});
const broker = new URL(direct);
broker.port = String(proxy.port);
const follower = await followNotifications(
  {
    name: 'ports',
    model: { ...model, setFollowed: () => undefined },
    createApplier: (onResult) => createPortEventApplier({ ports, logger, onResult }),
    onSubscribed: ports.expire,
    logger,
    metrics: createMetrics('test'),
  },
  { urls: [broker.href], topics: [topic], appId: 'test' },
);
afterAll(async () => {
  await follower.stop();
  await notifier.stop();
  await proxy.close();
  await cloud.close();
  await simulator.stop();
});

const [server] = simulator.simulation.state.servers.values();
const need = () => model.latest()?.instanceInfo[0]?.ports ?? 'none';
const waiting = { timeout: 60_000, interval: 50 };

test('ports follow Neutron without a collection, and are listed again after a lost connection', async () => {
  await expect.poll(() => model.latest()?.instanceInfo.length, waiting).toBe(1);
  expect(need()).toBe('none');
  const before = collections;
  const port = { id: randomUUID(), vnicType: 'direct', resourceRequest: null as object | null };
  server?.ports.push(port);
  await expect.poll(need, waiting).toBe('device');
  Object.assign(port, { vnicType: 'normal', resourceRequest: { request_groups: [] } });
  await expect.poll(need, waiting).toBe('resources');
  server?.ports.pop();
  await expect.poll(need, waiting).toBe('none');
  expect(collections).toBe(before);

  await proxy.refuse();
  server?.ports.push({ ...port, vnicType: 'accelerator-direct' });
  // The notification is sent while nothing is connected.
  await expect.poll(() => ports.needOf(server?.uuid ?? ''), waiting).toBeUndefined();
  await proxy.accept();
  await expect.poll(need, waiting).toBe('accelerator');
  expect(collections).toBeGreaterThan(before);
});
