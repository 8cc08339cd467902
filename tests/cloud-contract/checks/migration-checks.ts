import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Migration, Server } from '#libs/openstack';
import type { CloudCheck } from '../cloud-check.ts';
import type { ContractTarget } from '../contract-target.ts';
import { refusalOf } from '../refusal-of.ts';

/** Live and cold migrations from the request to the record, with Placement in step. */
export const migrationChecks: readonly CloudCheck[] = [
  {
    name: 'a live migration moves a server, shows itself while it runs, and leaves a completed record',
    async run(target) {
      const { compute } = target.cloud;
      const server = await target.pickServer();
      const to = (await target.pickDestination(server.host)).host;
      const running = await target.whileUnderWay(async () => {
        await compute.liveMigrate(server.uuid, to);
        return target.until('a running migration', async () => {
          const path = `/servers/${server.uuid}/migrations`;
          const response = await target.raw({ service: 'compute', path, microversion: '2.80' });
          const { migrations } = response.body as { migrations: { id: number }[] };
          return migrations.length > 0 ? response.body : null;
        });
      });
      target.assertShape('compute', 'GET /servers/{id}/migrations 2.80', running);
      await settled(target, server, to);
      const record = await recordIn(target, server, 'completed');
      assert.deepEqual([record.type, record.sourceHost, record.destHost], ['live-migration', server.host, to]);
      assert.deepEqual(await compute.listServerMigrations(server.uuid), []);
      const hourMs = 3_600_000;
      const changed = await compute.listMigrationsSince(Date.now() - 24 * hourMs);
      assert.deepEqual(changed.find(({ uuid }) => uuid === record.uuid)?.destHost, to);
      assert.deepEqual(await compute.listMigrationsSince(Date.now() + 24 * hourMs), []);
      await assertAllocatedOn(target, server, to);
      for (const version of ['2.59', '2.80']) {
        const path = `/os-migrations?instance_uuid=${server.uuid}`;
        const response = await target.raw({ service: 'compute', path, microversion: version });
        target.assertShape('compute', `GET /os-migrations ${version}`, response.body);
      }
      await moveBack(target, server);
    },
  },
  {
    name: 'while a live migration runs, Placement holds both ends and a second one is a 409; it can be aborted',
    async run(target) {
      const { compute } = target.cloud;
      const server = await target.pickServer();
      const to = (await target.pickDestination(server.host)).host;
      const aborted = await target.whileUnderWay(async () => {
        await compute.liveMigrate(server.uuid, to);
        const running = await target.until('a running migration', async () =>
          (await compute.listServerMigrations(server.uuid)).find((migration) => migration.status === 'running'),
        );
        const busy = await compute.getServer(server.uuid);
        assert.deepEqual([busy?.status, busy?.taskState, busy?.host], ['MIGRATING', 'migrating', server.host]);
        assert.deepEqual([running.sourceHost, running.destHost], [server.host, to]);
        assert.ok((await consumersOn(target, to)).has(server.uuid), 'the server is allocated on its destination');
        assert.ok(
          (await consumersOn(target, server.host)).has(running.uuid),
          'the migration is allocated on the source',
        );
        const second = await refusalOf(compute.liveMigrate(server.uuid, to));
        assert.equal(second.status, 409);
        assert.match(second.message, /task_state migrating/);
        await compute.abortLiveMigration(server.uuid, running.id);
        return running;
      });
      await settled(target, server, server.host);
      const record = await recordIn(target, server, 'cancelled');
      assert.equal(record.id, aborted.id);
      await assertAllocatedOn(target, server, server.host);
      assert.ok(!(await consumersOn(target, to)).has(server.uuid), 'the destination is free again');
    },
  },
  {
    name: 'a cold migration waits in VERIFY_RESIZE for its confirmation',
    async run(target) {
      const { compute } = target.cloud;
      const server = await target.pickServer();
      const to = (await target.pickDestination(server.host)).host;
      await compute.coldMigrate(server.uuid, to);
      await target.until('VERIFY_RESIZE', async () => {
        const found = await compute.getServer(server.uuid);
        return found?.status === 'VERIFY_RESIZE' && found.taskState === null;
      });
      const moved = await compute.getServer(server.uuid);
      assert.deepEqual([moved?.vmState, moved?.host], ['resized', to]);
      const finished = await recordIn(target, server, 'finished');
      assert.deepEqual([finished.type, finished.destHost], ['migration', to]);
      const tooEarly = await refusalOf(compute.liveMigrate(server.uuid, server.host));
      assert.equal(tooEarly.status, 409);

      await compute.confirmResize(server.uuid);
      await settled(target, server, to);
      assert.equal((await recordIn(target, server, 'confirmed')).id, finished.id);
      await assertAllocatedOn(target, server, to);
      assert.ok(!(await consumersOn(target, server.host)).has(server.uuid), 'the source is free');
      await moveBack(target, server);
    },
  },
  {
    name: "a migration tells who asked for it, and its action by which request: by Nova's id, not by the caller's",
    async run(target) {
      const { compute, identity } = target.cloud;
      const server = await target.pickServer();
      const to = (await target.pickDestination(server.host)).host;
      const sent = `req-${randomUUID()}`;
      const { requestId } = await compute.liveMigrate(server.uuid, to, { requestId: sent });
      assert.notEqual(requestId, sent);
      const requester = await identity.requester();
      assert.ok(requester !== null && requestId !== null);
      const [newest] = await compute.listInstanceActions(server.uuid);
      assert.deepEqual(newest, { action: 'live-migration', requestId, ...requester });
      await settled(target, server, to);
      const { userId, projectId } = await recordIn(target, server, 'completed');
      assert.deepEqual({ userId, projectId }, requester);
      await moveBack(target, server);
    },
  },
  {
    name: 'migrations that cannot be are refused at once',
    async run(target) {
      const { compute } = target.cloud;
      const server = await target.pickServer();
      const unconfirmed = await refusalOf(compute.confirmResize(server.uuid));
      assert.equal(unconfirmed.status, 409);
      assert.match(unconfirmed.message, /vm_state active/);
      assert.equal((await refusalOf(compute.abortLiveMigration(server.uuid, 999_999_999))).status, 409);
      assert.equal((await refusalOf(compute.liveMigrate(server.uuid, 'no-such-host'))).status, 400);
      assert.equal((await refusalOf(compute.coldMigrate(server.uuid, 'no-such-host'))).status, 400);
      const nobody = '00000000-0000-4000-8000-000000000000';
      assert.equal((await refusalOf(compute.liveMigrate(nobody, server.host))).status, 404);
      const after = await compute.getServer(server.uuid);
      assert.deepEqual([after?.status, after?.host], ['ACTIVE', server.host]);
    },
  },
  {
    name: 'the scheduler chooses the host of a live migration without one',
    async run(target) {
      const server = await target.pickServer();
      await target.cloud.compute.liveMigrate(server.uuid, null);
      const moved = await target.until('the end of the migration', async () => {
        const found = await target.cloud.compute.getServer(server.uuid);
        return found?.status === 'ACTIVE' && found.taskState === null && found.host !== server.host ? found : null;
      });
      assert.equal((await recordIn(target, server, 'completed')).destHost, moved.host);
      await moveBack(target, server);
    },
  },
];

async function settled(target: ContractTarget, server: Server, host: string): Promise<void> {
  await target.until(`server ${server.name} ACTIVE on ${host}`, async () => {
    const found = await target.cloud.compute.getServer(server.uuid);
    return found?.status === 'ACTIVE' && found.taskState === null && found.host === host;
  });
}

/** Returns the newest migration once it has the status. Nova may write it a moment after the server has settled. */
async function recordIn(target: ContractTarget, server: Server, status: string): Promise<Migration> {
  return target.until(`a migration record in ${status}`, async () => {
    const [record] = await target.cloud.compute.listMigrations({ serverUuid: server.uuid });
    return record?.status === status ? record : null;
  });
}

async function moveBack(target: ContractTarget, server: Server & { host: string }): Promise<void> {
  await target.cloud.compute.liveMigrate(server.uuid, server.host);
  await settled(target, server, server.host);
}

async function consumersOn(target: ContractTarget, host: string): Promise<Map<string, Record<string, number>>> {
  const hypervisor = await target.cloud.compute.findHypervisorByServiceHost(host);
  const allocations = await target.cloud.placement.getAllocations(hypervisor?.uuid ?? '');
  assert.ok(allocations !== null, `${host} has no resource provider`);
  return allocations;
}

async function assertAllocatedOn(target: ContractTarget, server: Server, host: string): Promise<void> {
  const allocation = (await consumersOn(target, host)).get(server.uuid);
  assert.equal(allocation?.VCPU, server.flavor.vcpus, `the allocation of ${server.name} is on ${host}`);
  assert.equal(allocation?.MEMORY_MB, server.flavor.ramMb);
}
