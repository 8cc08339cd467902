import assert from 'node:assert/strict';
import type { FlavorDetails, Server } from '#libs/openstack';
import type { CloudCheck } from '../cloud-check.ts';
import type { ContractTarget } from '../contract-target.ts';
import { refusalOf } from '../refusal-of.ts';

/** Stopping, starting and resizing a server, and the reads by id that these need. */
export const serverChangeChecks: readonly CloudCheck[] = [
  {
    name: 'a server is stopped and started, and both are a 409 in the wrong state',
    async run(target) {
      const { compute } = target.cloud;
      const server = await target.pickServer();
      assert.equal((await refusalOf(compute.startServer(server.uuid))).status, 409);
      await compute.stopServer(server.uuid);
      const stopped = await reached(target, server, 'SHUTOFF');
      assert.deepEqual([stopped.vmState, stopped.host], ['stopped', server.host]);
      assert.equal((await refusalOf(compute.stopServer(server.uuid))).status, 409);
      await compute.startServer(server.uuid);
      assert.equal((await reached(target, server, 'ACTIVE')).vmState, 'active');
    },
  },
  {
    name: 'a resize waits in VERIFY_RESIZE with the new flavor and can be reverted',
    async run(target) {
      const { compute } = target.cloud;
      const server = await target.pickServer();
      const flavor = await pickFlavor(target, server);
      await compute.resizeServer(server.uuid, flavor.id ?? '');
      const resized = await reached(target, server, 'VERIFY_RESIZE');
      assert.deepEqual([resized.vmState, resized.flavor.name], ['resized', flavor.name]);
      const finished = await recordIn(target, server, 'finished');
      assert.equal(finished.type, 'resize');
      await compute.revertResize(server.uuid);
      const back = await reached(target, server, 'ACTIVE');
      assert.deepEqual([back.flavor.name, back.host], [server.flavor.name, server.host]);
      assert.equal((await recordIn(target, server, 'reverted')).id, finished.id);
    },
  },
  {
    name: 'resizes that cannot be are refused at once',
    async run(target) {
      const { compute } = target.cloud;
      const server = await target.pickServer();
      const same = (await compute.listFlavors()).find((flavor) => flavor.name === server.flavor.name);
      assert.equal((await refusalOf(compute.resizeServer(server.uuid, same?.id ?? ''))).status, 400);
      assert.equal((await refusalOf(compute.resizeServer(server.uuid, 'no-such-flavor'))).status, 400);
      assert.equal((await refusalOf(compute.revertResize(server.uuid))).status, 409);
    },
  },
  {
    name: 'a flavor and a hypervisor are found by their id',
    async run({ cloud: { compute } }) {
      const [flavor] = await compute.listFlavors();
      assert.deepEqual(await compute.getFlavor(flavor?.id ?? ''), flavor);
      assert.equal(await compute.getFlavor('no-such-flavor'), null);
      const [hypervisor] = await compute.listHypervisors();
      assert.deepEqual(await compute.getHypervisor(hypervisor?.uuid ?? ''), hypervisor);
      assert.equal(await compute.getHypervisor('00000000-0000-4000-8000-000000000000'), null);
    },
  },
];

/** Returns the smallest flavor to which the server can grow. */
async function pickFlavor({ cloud }: ContractTarget, server: Server): Promise<FlavorDetails> {
  const { name, vcpus, ramMb, diskGb } = server.flavor;
  const larger = (await cloud.compute.listFlavors()).filter(
    (flavor) =>
      !flavor.name.startsWith('contract-') &&
      flavor.name !== name &&
      flavor.vcpus >= vcpus &&
      flavor.ramMb >= ramMb &&
      flavor.diskGb >= diskGb,
  );
  const [smallest] = larger.sort((one, other) => one.ramMb - other.ramMb);
  assert.ok(smallest !== undefined, `the cloud has no flavor larger than ${name}`);
  return smallest;
}

async function reached(target: ContractTarget, server: Server, status: string): Promise<Server> {
  return target.until(`server ${server.name} ${status}`, async () => {
    const found = await target.cloud.compute.getServer(server.uuid);
    return found?.status === status && found.taskState === null ? found : null;
  });
}

async function recordIn(target: ContractTarget, server: Server, status: string) {
  return target.until(`a migration record in ${status}`, async () => {
    const [record] = await target.cloud.compute.listMigrations({ serverUuid: server.uuid });
    return record?.status === status ? record : null;
  });
}
