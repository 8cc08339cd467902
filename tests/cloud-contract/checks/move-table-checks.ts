import assert from 'node:assert/strict';
import { type MoveWay, moveRefusal, moveRules } from '#libs/domain';
import type { Server } from '#libs/openstack';
import type { CloudCheck } from '../cloud-check.ts';
import type { ContractTarget } from '../contract-target.ts';
import { refusalOf } from '../refusal-of.ts';

/** States of a server, with the actions that bring it into each state and back to running. */
const conditions = [
  { status: 'ACTIVE', enter: null, leave: null },
  { status: 'PAUSED', enter: 'pause', leave: 'unpause' },
  { status: 'SHUTOFF', enter: 'os-stop', leave: 'os-start' },
  { status: 'SUSPENDED', enter: 'suspend', leave: 'resume' },
] as const;

/** Checks which moves each state allows, from which hosts, and the states of an evacuated server. */
export const moveTableChecks: readonly CloudCheck[] = [
  ...conditions.map(
    ({ status, enter, leave }): CloudCheck => ({
      name: `a server that is ${status} is moved in the ways of the table of moves, and stays ${status}`,
      async run(target) {
        const server = await target.pickServer();
        if (enter !== null) await act(target, server, { [enter]: null });
        const there = await reached(target, server, status);
        for (const way of Object.keys(moveRules) as MoveWay[]) await holdToTable(target, there, way);
        if (leave !== null) await act(target, server, { [leave]: null });
        await reached(target, server, 'ACTIVE');
      },
    }),
  ),
  {
    name: 'a server is neither migrated live nor cold off a host that is down',
    async run(target) {
      const { compute } = target.cloud;
      const server = await target.pickServer();
      await whileForcedDown(target, server.host, async () => {
        const hypervisor = await compute.findHypervisorByServiceHost(server.host);
        assert.equal(hypervisor?.state, 'down');
        const live = await refusalOf(compute.liveMigrate(server.uuid, null));
        assert.equal(live.status, 400);
        assert.match(live.message, /unavailable/);
        await target.until('the end of the attempt', async () => (await find(target, server)).taskState === null);
        assert.equal((await refusalOf(compute.coldMigrate(server.uuid, null))).status, 409);
        assert.equal((await refusalOf(compute.evacuate(server.uuid, 'no-such-host'))).status, 404);
        assert.equal((await refusalOf(compute.evacuate(server.uuid, server.host))).status, 400);
        const after = await find(target, server);
        assert.deepEqual([after.status, after.host], ['ACTIVE', server.host]);
      });
    },
  },
  {
    name: 'an evacuated server runs elsewhere and holds room on both hosts; its old one stays forced down until its service starts again',
    async run(target) {
      if (!target.mayEvacuate) return;
      const { compute } = target.cloud;
      const server = await target.pickServer();
      const to = (await target.pickDestination(server.host)).host;
      assert.equal((await forceDown(target, server.host, true)).status, 200);
      await compute.evacuate(server.uuid, to);
      await target.until('the evacuated server', async () => {
        const found = await find(target, server);
        return found.taskState === null && found.host === to;
      });
      assert.equal((await find(target, server)).vmState, 'active');
      const record = await target.until('the record of the evacuation', async () => {
        const [newest] = await compute.listMigrations({ serverUuid: server.uuid });
        return newest?.status === 'done' ? newest : null;
      });
      assert.deepEqual([record.type, record.sourceHost, record.destHost], ['evacuation', server.host, to]);
      const path = `/os-migrations?instance_uuid=${server.uuid}`;
      const raw = await target.raw({ service: 'compute', path, microversion: '2.59' });
      target.assertShape('compute', 'GET /os-migrations 2.59', raw.body);
      const { migrations } = raw.body as { migrations: { migration_type: string; old_instance_type_id: unknown }[] };
      const [evacuation] = migrations.filter((migration) => migration.migration_type === 'evacuation');
      assert.equal(evacuation?.old_instance_type_id, null);
      for (const host of [server.host, to]) {
        const hypervisor = await compute.findHypervisorByServiceHost(host);
        const allocations = await target.cloud.placement.getAllocations(hypervisor?.uuid ?? '');
        assert.ok(allocations?.has(server.uuid), `the server holds room on ${host}`);
      }
      const up = await forceDown(target, server.host, false);
      assert.equal(up.status, 400);
      assert.match(JSON.stringify(up.body), /Unable to force up host .* `done` evacuation migration records/);
    },
  },
];

/** Moves the server there and back if the table allows it. Otherwise expects Nova's refusal. */
async function holdToTable(target: ContractTarget, server: Server & { host: string }, way: MoveWay): Promise<void> {
  const { compute } = target.cloud;
  const isRefused = moveRefusal(way, server) !== null;
  if (way === 'evacuate') {
    const refusal = await refusalOf(compute.evacuate(server.uuid, null));
    assert.equal(refusal.status, isRefused ? 409 : 400, `evacuation of a server that is ${server.status}`);
    return;
  }
  const to = (await target.pickDestination(server.host)).host;
  if (isRefused) {
    const request = way === 'live' ? compute.liveMigrate(server.uuid, to) : compute.coldMigrate(server.uuid, to);
    assert.equal((await refusalOf(request)).status, 409, `${way} migration of a server that is ${server.status}`);
    return;
  }
  await move(target, server, way, to);
  await move(target, server, way, server.host);
}

async function move(target: ContractTarget, server: Server, way: 'live' | 'cold', to: string): Promise<void> {
  const { compute } = target.cloud;
  if (way === 'live') await compute.liveMigrate(server.uuid, to);
  else {
    await compute.coldMigrate(server.uuid, to);
    await reached(target, server, 'VERIFY_RESIZE');
    await compute.confirmResize(server.uuid);
  }
  await target.until(`server ${server.name} ${server.status} on ${to}`, async () => {
    const found = await find(target, server);
    return found.status === server.status && found.taskState === null && found.host === to;
  });
}

async function whileForcedDown(target: ContractTarget, host: string, work: () => Promise<void>): Promise<void> {
  assert.equal((await forceDown(target, host, true)).status, 200);
  try {
    await work();
  } finally {
    assert.equal((await forceDown(target, host, false)).status, 200);
  }
}

async function forceDown(target: ContractTarget, host: string, isDown: boolean) {
  const services = await target.cloud.compute.listServices();
  const service = services.find((each) => each.binary === 'nova-compute' && each.host === host);
  const body = { forced_down: isDown };
  return target.raw({
    service: 'compute',
    method: 'PUT',
    path: `/os-services/${service?.id}`,
    body,
    microversion: '2.69',
  });
}

async function act(target: ContractTarget, server: Server, body: object): Promise<void> {
  const path = `/servers/${server.uuid}/action`;
  const response = await target.raw({ service: 'compute', method: 'POST', path, body, microversion: '2.56' });
  assert.equal(response.status, 202, `${JSON.stringify(body)} is accepted`);
}

async function find(target: ContractTarget, server: Server): Promise<Server & { host: string }> {
  const found = await target.cloud.compute.getServer(server.uuid);
  assert.ok(found !== null && found.host !== null, `server ${server.name} is on a host`);
  return { ...found, host: found.host };
}

function reached(target: ContractTarget, server: Server, status: string): Promise<Server & { host: string }> {
  return target.until(`server ${server.name} ${status}`, async () => {
    const found = await find(target, server);
    return found.status === status && found.taskState === null ? found : null;
  });
}
