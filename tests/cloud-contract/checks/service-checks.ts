import assert from 'node:assert/strict';
import { OpenStackError } from '#libs/openstack';
import type { CloudCheck } from '../cloud-check.ts';

/** Disabling and enabling hosts, and the effect on migrations. */
export const serviceChecks: readonly CloudCheck[] = [
  {
    name: 'a compute service is disabled with a reason and enabled again',
    async run(target) {
      const { compute } = target.cloud;
      const service = await target.pickDestination((await target.pickServer()).host);
      const find = async () => (await compute.listServices()).find((each) => each.id === service.id);
      try {
        assert.equal(await compute.setServiceStatus(service.id, 'disabled', 'contract'), 'disabled');
        assert.deepEqual(await find(), { ...service, status: 'disabled', disabledReason: 'contract' });
        const hypervisor = await compute.findHypervisorByServiceHost(service.host);
        assert.equal(hypervisor?.status, 'disabled');
      } finally {
        const path = `/os-services/${service.id}`;
        const body = { status: 'enabled' };
        const response = await target.raw({ service: 'compute', method: 'PUT', path, body, microversion: '2.69' });
        assert.equal(response.status, 200);
        target.assertShape('compute', 'PUT /os-services/{id} 2.69', response.body);
      }
      assert.deepEqual(await find(), service);
    },
  },
  {
    name: 'an unknown compute service is a 404, a malformed id a 400',
    async run({ raw }) {
      const body = { status: 'enabled' };
      const put = (id: string) =>
        raw({ service: 'compute', method: 'PUT', path: `/os-services/${id}`, body, microversion: '2.53' });
      assert.equal((await put('00000000-0000-4000-8000-000000000000')).status, 404);
      assert.equal((await put('0000')).status, 400);
    },
  },
  {
    name: 'a live migration to a disabled host ends in error and leaves the server ACTIVE',
    async run(target) {
      const { compute } = target.cloud;
      const server = await target.pickServer();
      const service = await target.pickDestination(server.host);
      const before = (await compute.listMigrations({ serverUuid: server.uuid })).map((migration) => migration.uuid);
      const newest = async () => (await compute.listMigrations({ serverUuid: server.uuid }))[0];
      try {
        await compute.setServiceStatus(service.id, 'disabled', 'contract');
        await assert.rejects(
          compute.liveMigrate(server.uuid, service.host),
          (error) => error instanceof OpenStackError && error.status === 400 && /No valid host/.test(error.message),
        );
        const body = { 'os-migrateLive': { host: service.host, block_migration: 'auto' } };
        const path = `/servers/${server.uuid}/action`;
        const later = await target.raw({ service: 'compute', method: 'POST', path, body, microversion: '2.68' });
        assert.equal(later.status, 202, 'from 2.34 on the refusal comes later');
        const failed = await target.until('the migration error', async () => {
          const migration = await newest();
          return migration?.status === 'error' ? migration : null;
        });
        assert.ok(!before.includes(failed.uuid));
        assert.equal(failed.destHost, null);
        const after = await target.until('the end of the attempt', async () => {
          const found = await compute.getServer(server.uuid);
          return found?.taskState === null ? found : null;
        });
        assert.deepEqual([after.status, after.host], ['ACTIVE', server.host]);
        assert.equal(after.fault, null, 'the fault of a server that is not in ERROR is hidden');
        const [requested] = await compute.listInstanceActions(server.uuid);
        assert.match(
          (await compute.getInstanceActionFault(server.uuid, requested?.requestId ?? '')) ?? '',
          /No valid host/,
        );
        const action = `/servers/${server.uuid}/os-instance-actions/${requested?.requestId}`;
        const reported = await target.raw({ service: 'compute', path: action, microversion: '2.84' });
        target.assertShape('compute', 'GET /servers/{id}/os-instance-actions/{request} 2.84', reported.body);
      } finally {
        await compute.setServiceStatus(service.id, 'enabled', null);
      }
      const added = (await compute.listMigrations({ serverUuid: server.uuid })).length - before.length;
      assert.equal(added, 2, 'both attempts leave a record');
    },
  },
];
