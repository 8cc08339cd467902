import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { type Cloud, createOpenStackCloud } from '#libs/openstack';
import { serveSimulation, smallWorld } from '../../testing/simulation-fixture.ts';

let served: Awaited<ReturnType<typeof serveSimulation>>;
let cloud: Cloud;

/** Two hosts with graphics cards. The card of the first has no free units. */
beforeAll(async () => {
  const world = smallWorld([{ flavor: 'gpu' }, {}]);
  served = await serveSimulation({
    ...world,
    hosts: world.hosts.map((host, index) => ({ ...host, hypervisor_version: 8_001_000, vgpus: index < 2 ? 1 : 0 })),
    flavors: [
      ...world.flavors,
      { name: 'gpu', id: 'gpu', vcpus: 1, ram_mb: 2000, disk_gb: 10, extra_specs: { 'resources:VGPU': '1' } },
    ],
  });
  const domain = { id: 'default' };
  const user = { name: 'admin', domain };
  cloud = createOpenStackCloud(
    {
      authUrl: `${served.simulator.url}/identity/v3`,
      credentials: { kind: 'password', user, password: 'vigil', project: { name: 'admin', domain } },
    },
    { logger: silentLogger, clock: { now: () => Date.now() } },
  );
});
afterAll(async () => {
  await cloud.close();
  await served.simulator.stop();
});

const hosts = () => [...served.simulator.simulation.state.hosts.values()];
const candidates = async (query: string, version = '1.36') => {
  const path = `/placement/allocation_candidates?${query}`;
  const { status, body } = await served.request('GET', path, { version });
  return { status, body: body as { allocation_requests: { allocations: Record<string, unknown> }[] } };
};

describe('allocation candidates', () => {
  it('are the hosts with room, with the provider of each resource', async () => {
    const { body } = await candidates('resources=VGPU:1,VCPU:2');
    const tree = await cloud.placement.listResourceProviders();
    const card = tree.find(({ parentUuid }) => parentUuid === hosts()[1]?.uuid);
    expect(body.allocation_requests.map(({ allocations }) => allocations)).toEqual([
      { [String(card?.uuid)]: { resources: { VGPU: 1 } }, [String(hosts()[1]?.uuid)]: { resources: { VCPU: 2 } } },
    ]);
  });

  it('are limited to a tree', async () => {
    const possible = hosts().map(({ uuid }) => cloud.placement.hasCandidates({ resources: 'VGPU:1', in_tree: uuid }));
    expect(await Promise.all(possible)).toEqual([false, true, false]);
  });

  it('have the traits of the providers', async () => {
    const counts = await Promise.all(
      ['required=HW_GPU_API_VULKAN', 'required=!HW_GPU_API_VULKAN', 'required=!COMPUTE_NODE'].map(async (trait) => {
        return (await candidates(`resources=VGPU:1&${trait}`)).body.allocation_requests.length;
      }),
    );
    expect(counts).toEqual([1, 0, 0]);
  });

  it('are counted over all groups', async () => {
    const two = 'resources1=VGPU:1&resources2=VGPU:1&group_policy=none';
    expect((await candidates(two)).body.allocation_requests).toEqual([]);
    expect((await candidates('resources_a=VGPU:1')).body.allocation_requests).toHaveLength(1);
  });

  it.each([
    ['resources=VGPU'],
    ['resources=NONE:1'],
    ['resources=VGPU:1&required=CUSTOM_NONE'],
    ['required=COMPUTE_NODE'],
    ['resources1=VGPU:1&resources2=VGPU:1'],
    ['resources=VGPU:1&nonsense=1'],
  ])('are refused for %s', async (query) => {
    expect((await candidates(query)).status).toBe(400);
  });
});

it('a graphics card is a provider below its host, with the inventory and the allocations of virtual GPUs', async () => {
  const [host] = hosts();
  const providers = await cloud.placement.listResourceProviders();
  const card = providers.find(({ parentUuid }) => parentUuid === host?.uuid);
  const inventories = await Promise.all(
    [host?.uuid, card?.uuid].map(async (uuid) => cloud.placement.getInventories(String(uuid))),
  );
  expect(inventories.map((found) => Object.keys(found ?? {}).sort())).toEqual([
    ['DISK_GB', 'MEMORY_MB', 'VCPU'],
    ['VGPU'],
  ]);
  const held = await cloud.placement.getAllocations(String(card?.uuid));
  expect([...(held?.values() ?? [])]).toEqual([{ VGPU: 1 }]);
});

it('Nova moves a server with a virtual GPU where Placement has a candidate, and refuses other hosts', async () => {
  const [uuid] = [...served.simulator.simulation.state.servers.keys()];
  const move = async (host: string | undefined) => {
    const body = { 'os-migrateLive': { host, block_migration: 'auto', force: false } };
    return (await served.request('POST', `/compute/v2.1/servers/${uuid}/action`, { version: '2.30', body })).status;
  };
  expect(await move(hosts()[2]?.name)).toBe(400);
  expect(await move(hosts()[1]?.name)).toBe(202);
});
