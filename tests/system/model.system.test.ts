import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { silentLogger } from '#libs/domain';
import { createNotificationExchange } from '#libs/messaging/amqp';
import { testServerUrl } from '../servers/test-server-url.ts';
import { storagePowerWorld, worldHosts, worldPools } from './storage-power-world.ts';
import { noHistory } from './test-stack.ts';
import { useTestStack } from './use-vigil.ts';

const wait = { timeout: 60_000, interval: 100 };

const exchange = `cinder_${randomUUID().slice(0, 8)}`;

/** The zone to empty is a separate cell. */
function worldOfTwoCells(): object {
  const world = storagePowerWorld() as { hosts: { hostname: string }[] };
  const hosts = world.hosts.map((host) => ({ ...host, cell: host.hostname === worldHosts.old ? 'south' : 'north' }));
  return { ...world, hosts };
}

const folder = await mkdtemp(join(tmpdir(), 'vigil-world-'));
const world = join(folder, 'world.json');
await writeFile(world, JSON.stringify(worldOfTwoCells()));
const url = testServerUrl('rabbitmq');
const cinder = await createNotificationExchange({ url, logger: silentLogger, appId: 'cinder', exchange });
const stack = await useTestStack({
  simulator: ['--world', world, ...noHistory],
  env: {
    VIGIL_CINDER_NOTIFICATIONS_URL: url,
    VIGIL_CINDER_NOTIFICATION_TOPICS: `${exchange}.versioned_notifications`,
    VIGIL_NOVA_CELLS: `south=${worldHosts.old}`,
  },
});
const engine = await stack.start(['decision-engine']);
afterAll(async () => {
  await cinder?.close();
  await rm(folder, { recursive: true, force: true });
});

/** As oslo.messaging sends it. */
async function tell(eventType: string, payload: object): Promise<void> {
  const message = {
    event_type: eventType,
    publisher_id: `volume.${worldPools.old.split('#')[0]}`,
    priority: 'INFO',
    message_id: randomUUID(),
    timestamp: '2026-03-01 10:00:00.000000',
    payload,
  };
  const content = Buffer.from(JSON.stringify({ 'oslo.version': '2.0', 'oslo.message': JSON.stringify(message) }));
  await cinder.send({ messageId: message.message_id, routingKey: 'versioned_notifications.info', content });
}

/** Names of the volumes that are in the old pool, as a strategy sees them. */
async function volumesOfOldPool(): Promise<unknown[]> {
  const { actions } = await dataOf(
    stack.client.api.POST('/v1/audits/preview', {
      body: {
        goal: 'hardware_maintenance',
        strategy: 'zone_migration',
        parameters: {
          storage_pools: [{ src_pool: worldPools.old, dst_pool: worldPools.empty }],
          parallel_total: 50,
          parallel_per_pool: 50,
        },
      } as never,
    }),
  );
  return actions.map(({ input_parameters }) => (input_parameters as { resource_name: string }).resource_name).sort();
}

const collections = () => engine.output().split('storage model collected').length - 1;

test("the storage model follows Cinder's events over RabbitMQ, without a collection", async () => {
  // A subscription collects the model once more.
  await expect.poll(() => engine.output()).toContain('storage model in sync with its notifications');
  const before = await volumesOfOldPool();
  const collected = collections();
  expect(collected).toBeGreaterThan(0);
  const volume = {
    volume_id: randomUUID(),
    display_name: 'told-by-cinder',
    size: 10,
    status: 'available',
    host: worldPools.old,
    volume_type: 'standard',
    tenant_id: 'p',
    created_at: new Date().toISOString(),
    volume_attachment: [],
  };

  await tell('volume.create.end', volume);
  await expect.poll(volumesOfOldPool, wait).toEqual([...before, 'told-by-cinder'].sort());

  await tell('volume.update.end', {
    'cinder_object.name': 'VolumePayload',
    'cinder_object.version': '1.0',
    'nova_object.data': { ...volume, display_name: 'renamed' },
  });
  await expect.poll(volumesOfOldPool, wait).toEqual([...before, 'renamed'].sort());

  await tell('volume.delete.end', { ...volume, status: 'deleting' });
  await expect.poll(volumesOfOldPool, wait).toEqual(before);
  expect(collections()).toBe(collected);
});

async function audit(strategy: string, parameters: object) {
  const { client } = stack;
  const { goal_name: goal } = await client.get('strategies', strategy);
  const body = { goal, strategy, audit_type: 'ONESHOT', parameters, auto_trigger: false, force: false } as never;
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body }));
  const ended = await client.waitForAudit(uuid, { pollMs: 100, timeoutMs: 120_000 });
  const path = { params: { path: { ident: uuid } } };
  const { report } = await dataOf(client.api.GET('/v1/audits/{ident}/report', path));
  return { state: ended.state, reason: ended.status_message, report };
}

test('a cell that Nova cannot read: consolidation is refused with the reason, others continue without its hosts', async () => {
  await stack.control('/faults', { kind: 'cell-down', cell: 'south' });

  // The next model of the engine lacks the cell.
  await expect
    .poll(() => audit('vm_workload_consolidation', { period: 4 }), wait)
    .toMatchObject({
      state: 'FAILED',
      reason: expect.stringMatching(
        `vm_workload_consolidation needs a complete model of the cloud.*the cell south of Nova cannot be read: hosts ${worldHosts.old}`,
      ),
    });
  const others = await audit('allocation_balance', {});
  expect(others).toMatchObject({ state: 'SUCCEEDED', report: { model_complete: false, hosts: { considered: 6 } } });

  const [fault] = await stack.control<{ faults: { id: number }[] }>('/faults').then(({ faults }) => faults);
  await fetch(`${stack.simulator.url}/simulator/faults/${fault!.id}`, { method: 'DELETE' });
  await expect
    .poll(() => audit('allocation_balance', {}), wait)
    .toMatchObject({
      state: 'SUCCEEDED',
      report: { model_complete: true, hosts: { considered: 7 } },
    });
});
