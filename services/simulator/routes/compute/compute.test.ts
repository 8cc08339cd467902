import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedSimulation, serveSimulation, smallWorld } from '../../testing/simulation-fixture.ts';
import { generateWorld } from '../../world/generate-world.ts';

interface ServerList {
  servers: Record<string, unknown>[];
  servers_links?: { rel: string; href: string }[];
}

const world = () =>
  smallWorld(
    [
      { locked: true, project: 'demo' },
      { host: 'compute-2', project: 'other', metadata: { a: 'b' } },
      { state: 'stopped' },
    ],
    {
      server_groups: [{ name: 'g', policy: 'anti-affinity' }],
    },
  );

describe('the simulated Nova', () => {
  let served: ServedSimulation;
  let uuid: string;
  beforeAll(async () => {
    served = await serveSimulation(world(), { speed: 1000 });
    uuid = [...served.simulator.simulation.state.servers.keys()][0] ?? '';
  });
  afterAll(() => served.simulator.stop());

  const nova = (method: string, path: string, version?: string, body?: unknown, as?: string | null) =>
    served.request(method, `/compute/v2.1${path}`, { version, body, as });
  const act = (body: unknown, version = '2.56', as = 'admin') =>
    nova('POST', `/servers/${uuid}/action`, version, body, as);

  it('returns its versions without a token', async () => {
    const { body } = await served.request('GET', '/compute/v2.1/', { as: null });
    expect(body).toMatchObject({ version: { id: 'v2.1', version: '2.104', min_version: '2.1', status: 'CURRENT' } });
  });

  it('returns the current version', async () => {
    const newest = await nova('GET', '/servers', 'latest');
    expect(newest.headers.get('openstack-api-version')).toBe('compute 2.104');
    expect(newest.headers.get('x-openstack-nova-api-version')).toBe('2.104');
    expect(newest.headers.get('vary')).toContain('OpenStack-API-Version');
    expect((await nova('GET', '/servers')).headers.get('openstack-api-version')).toBe('compute 2.1');
    expect((await nova('GET', '/servers', '2.105')).status).toBe(406);
    expect((await nova('GET', '/servers', 'two')).status).toBe(400);
  });

  it('refuses requests without a token like the middleware of Keystone', async () => {
    const response = await nova('GET', '/servers', undefined, undefined, null);
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({ error: { code: 401, title: 'Unauthorized' } });
    expect(response.headers.get('www-authenticate')).toMatch(/^Keystone uri="http/);
  });

  // The fields that each microversion adds, from responses of a real Nova.
  const added: [version: string, fields: string[]][] = [
    ['2.1', ['OS-EXT-SRV-ATTR:host', 'OS-EXT-STS:task_state', 'OS-EXT-AZ:availability_zone', 'tenant_id', 'progress']],
    [
      '2.3',
      ['hostname', 'kernel_id', 'launch_index', 'ramdisk_id', 'reservation_id', 'root_device_name', 'user_data'].map(
        (name) => `OS-EXT-SRV-ATTR:${name}`,
      ),
    ],
    ['2.9', ['locked']],
    ['2.16', ['host_status']],
    ['2.19', ['description']],
    ['2.26', ['tags']],
    ['2.63', ['trusted_image_certificates']],
    ['2.71', ['server_groups']],
    ['2.73', ['locked_reason']],
    ['2.96', ['pinned_availability_zone']],
    ['2.100', ['scheduler_hints']],
    ['2.104', []],
  ];
  it('shows a server in the form of each microversion', async () => {
    const seen = new Set<string>();
    for (const [version, fields] of added) {
      const { server } = (await nova('GET', `/servers/${uuid}`, version)).body as { server: object };
      const fresh = Object.keys(server).filter((key) => !seen.has(key));
      if (version === '2.1') expect(fresh).toEqual(expect.arrayContaining(fields));
      else expect(fresh.sort()).toEqual([...fields].sort());
      for (const key of fresh) seen.add(key);
    }
    const [old, embedded] = await Promise.all(
      ['2.46', '2.47'].map((version) => nova('GET', `/servers/${uuid}`, version)),
    );
    expect(old?.body).toMatchObject({ server: { flavor: { id: 'small' } } });
    expect(embedded?.body).toMatchObject({ server: { flavor: { original_name: 'small', vcpus: 1, ram: 2000 } } });
  });

  it('shows hypervisors in the form of each microversion', async () => {
    const first = async (version: string) =>
      ((await nova('GET', '/os-hypervisors/detail', version)).body as { hypervisors: Record<string, unknown>[] })
        .hypervisors[0] ?? {};
    expect(await first('2.1')).toMatchObject({ id: 1, vcpus: 8, service: { id: 3, host: 'compute-1' } });
    expect(typeof (await first('2.1')).cpu_info).toBe('string');
    const modern = await first('2.53');
    expect(modern.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(modern).toMatchObject({ vcpus: 8, vcpus_used: 2, memory_mb: 16_384, memory_mb_used: 4000, running_vms: 2 });
    const newest = await first('2.88');
    expect(newest).not.toHaveProperty('vcpus');
    expect(newest.uptime).toMatch(/load average/);
    const withServers = await nova(
      'GET',
      '/os-hypervisors/detail?with_servers=true&hypervisor_hostname_pattern=compute-2',
      '2.53',
    );
    expect(
      (withServers.body as { hypervisors: { servers: unknown[] }[] }).hypervisors.map((h) => h.servers.length),
    ).toEqual([1]);
    expect((await nova('GET', '/os-hypervisors/detail?hypervisor_hostname_pattern=zzz', '2.53')).status).toBe(404);
  });

  it('shows members only their own servers, without hosts, and lets them migrate nothing', async () => {
    const own = (await nova('GET', '/servers/detail', '2.96', undefined, 'member')).body as ServerList;
    expect(own.servers.map((server) => server.name)).toEqual(['vm-3', 'vm-1']);
    expect(own.servers[0]).not.toHaveProperty('OS-EXT-SRV-ATTR:host');
    expect((await nova('GET', '/servers?all_tenants=1', '2.96', undefined, 'member')).status).toBe(403);
    expect((await nova('GET', '/os-services', '2.53', undefined, 'member')).status).toBe(403);
    expect((await act({ 'os-migrateLive': { host: null, block_migration: 'auto' } }, '2.30', 'member')).status).toBe(
      403,
    );
  });

  it('refuses members, not administrators, when a server is locked', async () => {
    const refused = await act({ 'os-stop': null }, '2.1', 'member');
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('is locked')]);
    expect((await act({ 'os-stop': null })).status).toBe(202);
    await expect
      .poll(async () => (await nova('GET', `/servers/${uuid}`)).body)
      .toMatchObject({ server: { status: 'SHUTOFF' } });
    expect((await act({ 'os-stop': null })).status).toBe(409);
    expect((await act({ 'os-start': null })).status).toBe(202);
    await expect
      .poll(async () => (await nova('GET', `/servers/${uuid}`)).body)
      .toMatchObject({ server: { status: 'ACTIVE' } });
  });

  it('disables and enables services in both ways', async () => {
    const service = async () =>
      (
        (await nova('GET', '/os-services?binary=nova-compute&host=compute-3', '2.53')).body as {
          services: { id: string }[];
        }
      ).services[0];
    const { id } = (await service()) ?? { id: '' };
    const put = await nova('PUT', `/os-services/${id}`, '2.53', { status: 'disabled', disabled_reason: 'because' });
    expect(put.body).toMatchObject({ service: { status: 'disabled', disabled_reason: 'because' } });
    await nova('PUT', '/os-services/enable', '2.1', { host: 'compute-3', binary: 'nova-compute' });
    expect(await service()).toMatchObject({ status: 'enabled', disabled_reason: null });
    await nova('PUT', '/os-services/disable-log-reason', '2.1', {
      host: 'compute-3',
      binary: 'nova-compute',
      disabled_reason: 'x',
    });
    expect(await service()).toMatchObject({ status: 'disabled', disabled_reason: 'x', state: 'up' });
    await nova('PUT', `/os-services/${id}`, '2.53', { status: 'enabled' });
    expect((await nova('PUT', '/os-services/nonsense', '2.53', { status: 'enabled' })).status).toBe(400);
  });

  it('checks the body of migrations by microversion', async () => {
    const status = async (body: unknown, version: string) => (await act(body, version)).status;
    expect(await status({ 'os-migrateLive': { host: null, block_migration: 'auto' } }, '2.24')).toBe(400);
    expect(await status({ 'os-migrateLive': { host: null } }, '2.30')).toBe(400);
    expect(await status({ 'os-migrateLive': { host: null, block_migration: 'auto', force: true } }, '2.68')).toBe(400);
    expect(await status({ 'os-migrateLive': { host: 'nowhere', block_migration: 'auto' } }, '2.30')).toBe(400);
    expect(await status({ migrate: { host: 'compute-1' } }, '2.56')).toBe(400);
    expect(await status({ dance: null }, '2.1')).toBe(400);
    expect(await status({ confirmResize: null }, '2.1')).toBe(409);
  });

  it('migrates, with the allocations in Placement', async () => {
    const target = [...served.simulator.simulation.state.hosts.values()][1];
    expect((await act({ 'os-migrateLive': { host: 'compute-2', block_migration: 'auto' } }, '2.30')).status).toBe(202);
    await expect
      .poll(async () => (await nova('GET', `/os-migrations?instance_uuid=${uuid}`, '2.80')).body)
      .toMatchObject({
        migrations: [{ status: 'completed', dest_compute: 'compute-2', migration_type: 'live-migration' }],
      });
    const since = async (time: string) => nova('GET', `/os-migrations?changes-since=${time}`, '2.59');
    expect((await since('2000-01-01T00:00:00')).body).toMatchObject({ migrations: [{ status: 'completed' }] });
    expect((await since('2100-01-01T00:00:00Z')).body).toMatchObject({ migrations: [] });
    expect((await since('soon')).status).toBe(400);
    const allocations = await served.request('GET', `/placement/allocations/${uuid}`, { version: '1.36' });
    expect(allocations.body).toMatchObject({
      allocations: { [target?.uuid ?? '']: { resources: { VCPU: 1, MEMORY_MB: 2000, DISK_GB: 10 } } },
    });
    const usages = await served.request('GET', `/placement/resource_providers/${target?.uuid}/usages`, {
      version: '1.36',
    });
    expect(usages.body).toMatchObject({ usages: { VCPU: 2, MEMORY_MB: 4000, DISK_GB: 20 } });
  });
});

describe('servers come and go', () => {
  let served: ServedSimulation;
  beforeAll(async () => {
    served = await serveSimulation(smallWorld(), { speed: 50 });
  });
  afterAll(() => served.simulator.stop());

  it('are created on a named host, migrated, and deleted during a migration', async () => {
    const nova = (method: string, path: string, body?: unknown) =>
      served.request(method, `/compute/v2.1${path}`, { version: '2.74', body });
    const { simulatedClock } = served.simulator.simulation;
    // Operations that take time continue until the test has observed them.
    simulatedClock.setSpeed(0);
    const made = await nova('POST', '/servers', {
      server: { name: 'new', flavorRef: 'small', host: 'compute-3', networks: 'none' },
    });
    expect(made.status).toBe(202);
    const { id } = (made.body as { server: { id: string } }).server;
    expect((await nova('GET', `/servers/${id}`)).body).toMatchObject({ server: { status: 'BUILD' } });
    simulatedClock.setSpeed(50);
    await expect
      .poll(async () => (await nova('GET', `/servers/${id}`)).body)
      .toMatchObject({ server: { status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': 'compute-3' } });
    simulatedClock.setSpeed(0);
    await nova('POST', `/servers/${id}/action`, { 'os-migrateLive': { host: 'compute-2', block_migration: 'auto' } });
    expect((await nova('DELETE', `/servers/${id}`)).status).toBe(204);
    simulatedClock.setSpeed(50);
    await expect.poll(async () => (await nova('GET', `/servers/${id}`)).status).toBe(404);
    const { state, ledger } = served.simulator.simulation;
    expect([...state.hosts.values()].map((host) => ledger.usage(host).VCPU)).toEqual([1, 0, 0]);
    expect(state.migrations.map((record) => record.status)).toEqual(['error']);
    const refused = await nova('POST', '/servers', { server: { name: 'new', flavorRef: 'small', host: 'nowhere' } });
    expect(refused.status).toBe(400);
  });

  it('with hints that are visible and apply to later moves', async () => {
    const nova = (method: string, path: string, body?: unknown) =>
      served.request(method, `/compute/v2.1${path}`, { version: '2.100', body });
    const [first] = served.simulator.simulation.state.serverOrder;
    const create = (hints: object) =>
      nova('POST', '/servers', {
        server: { name: 'hinted', flavorRef: 'small', networks: 'none' },
        'os:scheduler_hints': hints,
      });
    const made = await create({ different_host: first?.uuid });
    expect(made.status).toBe(202);
    const { id } = (made.body as { server: { id: string } }).server;
    expect((await nova('GET', `/servers/${id}`)).body).toMatchObject({
      server: { scheduler_hints: { different_host: [first?.uuid] } },
    });
    await expect
      .poll(async () => (await nova('GET', `/servers/${id}`)).body)
      .toMatchObject({ server: { status: 'ACTIVE' } });
    const to = { host: first?.host.name, block_migration: 'auto' };
    expect((await nova('POST', `/servers/${id}/action`, { 'os-migrateLive': to })).status).toBe(202);
    await expect
      .poll(async () => (await nova('GET', `/servers/${id}/os-instance-actions`)).body)
      .toMatchObject({ instanceActions: [{ action: 'live-migration', message: 'Error' }, { action: 'create' }] });
    expect((await create({ same_host: ['no uuid'] })).status).toBe(400);
  });

  it('and are not moved live with a share', async () => {
    const shared = await serveSimulation(smallWorld([{ shares: ['s'] }, {}]));
    const [uuid] = [...shared.simulator.simulation.state.servers.keys()];
    const nova = (method: string, path: string, version: string, body?: unknown) =>
      shared.request(method, `/compute/v2.1/servers/${uuid}${path}`, { version, body });
    expect((await nova('GET', '/shares', '2.97')).body).toMatchObject({ shares: [{ status: 'active' }] });
    expect((await nova('GET', '/shares', '2.96')).status).toBe(404);
    const actions = [
      { 'os-migrateLive': { host: null, block_migration: 'auto' } },
      { evacuate: {} },
      { shelve: null },
      { suspend: null },
    ];
    for (const action of actions) expect((await nova('POST', '/action', '2.60', action)).status).toBe(409);
    const catalogue = JSON.stringify((await shared.request('GET', '/identity/v3/auth/catalog')).body);
    expect(catalogue).toContain('sharev2');
    await shared.simulator.stop();
  });

  it('and listings refuse unknown parameters from 2.75 on', async () => {
    const list = async (version: string) =>
      (await served.request('GET', '/compute/v2.1/servers?nonsense=1', { version })).status;
    expect([await list('2.74'), await list('2.75')]).toEqual([200, 400]);
  });
});

describe('long lists', () => {
  let served: ServedSimulation;
  beforeAll(async () => {
    served = await serveSimulation(generateWorld({ hosts: 60, instances: 2300, seed: 2 }));
  });
  afterAll(() => served.simulator.stop());

  it('have pages that add up, each of at most 1,000', async () => {
    const seen = new Set<unknown>();
    const sizes: number[] = [];
    let path: string | undefined = '/compute/v2.1/servers/detail?all_tenants=True';
    while (path !== undefined) {
      const { body } = await served.request('GET', path, { version: '2.96' });
      const page = body as ServerList;
      sizes.push(page.servers.length);
      for (const server of page.servers) seen.add(server.id);
      path = page.servers_links?.[0]?.href.slice(served.simulator.url.length);
    }
    expect(sizes).toEqual([1000, 1000, served.simulator.simulation.state.servers.size - 2000]);
    expect(seen.size).toBe(served.simulator.simulation.state.servers.size);
  });

  it('support limit, marker and host', async () => {
    const list = async (query: string) =>
      (await served.request('GET', `/compute/v2.1/servers/detail?all_tenants=1&${query}`)).body as ServerList;
    const two = await list('limit=2');
    const next = await list(`limit=1&marker=${String(two.servers[0]?.id)}`);
    expect(next.servers[0]?.id).toBe(two.servers[1]?.id);
    const there = await list('host=compute-7');
    expect(new Set(there.servers.map((server) => server['OS-EXT-SRV-ATTR:host']))).toEqual(new Set(['compute-7']));
    expect((await served.request('GET', '/compute/v2.1/servers?marker=nonsense')).status).toBe(400);
    expect((await served.request('GET', '/compute/v2.1/servers?limit=-1')).status).toBe(400);
  });
});

it('shelves a server, which then has no host and no allocations', async () => {
  const served = await serveSimulation(world(), { speed: 1000 });
  const [uuid = ''] = served.simulator.simulation.state.servers.keys();
  const nova = (method: string, path: string, body?: unknown) =>
    served.request(method, `/compute/v2.1${path}`, { version: '2.96', body });
  const shelve = () => nova('POST', `/servers/${uuid}/action`, { shelve: null });
  const host = served.simulator.simulation.state.servers.get(uuid)?.host.name ?? '';
  expect(JSON.stringify((await nova('GET', `/servers/detail?all_tenants=1&host=${host}`)).body)).toContain(uuid);

  expect((await shelve()).status).toBe(202);
  expect((await shelve()).status).toBe(409);
  await expect
    .poll(async () => (await nova('GET', `/servers/${uuid}`)).body)
    .toMatchObject({ server: { status: 'SHELVED_OFFLOADED', 'OS-EXT-SRV-ATTR:host': null } });
  expect(JSON.stringify((await nova('GET', `/servers/detail?all_tenants=1&host=${host}`)).body)).not.toContain(uuid);
  const allocations = await served.request('GET', `/placement/allocations/${uuid}`, { version: '1.36' });
  expect(allocations.body).toMatchObject({ allocations: {} });
  await served.simulator.stop();
});
