import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cloud } from '../cloud.ts';
import { OpenStackError } from '../errors.ts';
import {
  connectTo,
  failureOf,
  type Reply,
  type ScriptedCloud,
  type SeenRequest,
  startScriptedCloud,
} from '../testing/scripted-cloud.ts';

function rawServer(number: number): Record<string, unknown> {
  return {
    id: `server-${number}`,
    name: `vm-${number}`,
    status: 'ACTIVE',
    tenant_id: 'p1',
    created: '2026-01-01T00:00:00Z',
    image:
      number % 2 === 0
        ? ''
        : { id: 'image', properties: { hw_cpu_policy: 'dedicated', traits_required: ['CUSTOM_A'] } },
    flavor: { vcpus: 2, ram: 4096, disk: 40, ephemeral: 0, swap: 0, original_name: 'm1', extra_specs: { 'hw:x': 'y' } },
    'OS-EXT-SRV-ATTR:host': 'h1',
    'OS-EXT-SRV-ATTR:hypervisor_hostname': 'h1.example',
    'OS-EXT-STS:vm_state': 'active',
    'OS-EXT-STS:task_state': null,
    'OS-EXT-STS:power_state': 1,
    'OS-EXT-AZ:availability_zone': 'nova',
    'os-extended-volumes:volumes_attached': [{ id: 'v1', delete_on_termination: false }],
    locked: false,
    metadata: { tier: 'gold' },
  };
}

/** Returns like Nova: pages of at most `maximum`, a link to the next one, 400 for a marker that is not there. */
function paged(servers: Record<string, unknown>[], request: SeenRequest, maximum: number): Reply {
  const marker = request.query.get('marker');
  const start = marker === null ? 0 : servers.findIndex((server) => server.id === marker) + 1;
  if (marker !== null && start === 0) {
    return { status: 400, body: { badRequest: { code: 400, message: `marker [${marker}] not found` } } };
  }
  const limit = Math.min(maximum, Number(request.query.get('limit')));
  const page = servers.slice(start, start + limit);
  const href = `http://elsewhere/servers/detail?marker=${page.at(-1)?.id}`;
  const links = page.length === limit ? { servers_links: [{ rel: 'next', href }] } : {};
  return { status: 200, body: { servers: page, ...links } };
}

describe('servers', () => {
  let scripted: ScriptedCloud;
  let cloud: Cloud;

  beforeEach(async () => {
    scripted = await startScriptedCloud();
    cloud = connectTo(scripted);
  });

  afterEach(async () => {
    await cloud.close();
    await scripted.close();
  });

  function onList(response: (request: SeenRequest) => Reply): void {
    scripted.script = (request) => (request.path === '/compute/v2.1/servers/detail' ? response(request) : undefined);
  }

  it('are read in pages until the last, all 15,195', async () => {
    const servers = Array.from({ length: 15_195 }, (_, number) => rawServer(number));
    onList((request) => paged(servers, request, 1000));
    const found = await cloud.compute.listServers({});
    expect(found).toHaveLength(15_195);
    expect(scripted.count('GET /compute/v2.1/servers/detail')).toBe(16);
    expect(scripted.seen.at(-1)?.headers['openstack-api-version']).toBe('compute 2.93');
    expect(scripted.seen.at(-1)?.query.get('all_tenants')).toBe('True');
  });

  it('are complete when the server cuts pages short and the last page is full', async () => {
    const servers = Array.from({ length: 12 }, (_, number) => rawServer(number));
    onList((request) => paged(servers, request, 4));
    const found = await cloud.compute.listServers({ host: 'h1' }, { pageSize: 1000 });
    expect(found.map((server) => server.uuid)).toEqual(servers.map((server) => server.id));
    expect(scripted.seen.at(-1)?.query.get('host')).toBe('h1');
  });

  it('are read again when the server that marks a page is deleted', async () => {
    let servers = Array.from({ length: 9 }, (_, number) => rawServer(number));
    let pages = 0;
    onList((request) => {
      pages += 1;
      if (pages === 2) servers = servers.filter((server) => server.id !== 'server-2');
      return paged(servers, request, 3);
    });
    expect(await cloud.compute.listServers({})).toHaveLength(8);
  });

  it('are parsed page by page, so that a listing holds one raw page only', async () => {
    const { flavor: _, ...flawed } = rawServer(0);
    const servers = [flawed, ...Array.from({ length: 8 }, (__, number) => rawServer(number + 1))];
    onList((request) => paged(servers, request, 3));
    expect(await failureOf(cloud.compute.listServers({}))).toMatchObject({
      message: expect.stringContaining('servers[0].flavor is missing'),
    });
    expect(scripted.count('GET /compute/v2.1/servers/detail')).toBe(1);
  });

  it.each([
    ['not told', {}, undefined],
    ['none', { pinned_availability_zone: null }, null],
    ['one', { pinned_availability_zone: 'east' }, 'east'],
  ])('are pinned to a zone: %s', async (_, fields, pinned) => {
    onList(() => ({ status: 200, body: { servers: [{ ...rawServer(1), ...fields }] } }));
    const [server] = await cloud.compute.listServers({});
    expect(server?.pinnedAvailabilityZone).toBe(pinned);
  });

  it.each([
    ['not told', {}, undefined],
    ['none', { scheduler_hints: {} }, {}],
    [
      'some',
      { scheduler_hints: { same_host: ['a', 'b'], query: '["=", "$host", "c"]' } },
      {
        same_host: ['a', 'b'],
        query: ['["=", "$host", "c"]'],
      },
    ],
  ])('have hints to the scheduler: %s', async (_, fields, hints) => {
    onList(() => ({ status: 200, body: { servers: [{ ...rawServer(1), ...fields }] } }));
    const [server] = await cloud.compute.listServers({});
    expect(server?.schedulerHints).toEqual(hints);
  });

  it('share equal flavors, images and texts', async () => {
    const other = { ...rawServer(5), flavor: { ...(rawServer(5).flavor as object), vcpus: 8 } };
    onList(() => ({ status: 200, body: { servers: [rawServer(1), rawServer(3), other] } }));
    const [one, two, larger] = await cloud.compute.listServers({});
    expect(two?.flavor).toBe(one?.flavor);
    expect(two?.imageProperties).toBe(one?.imageProperties);
    expect(larger?.flavor.vcpus).toBe(8);
    expect(larger?.metadata).toBe(one?.metadata);
  });

  it('have all their fields translated', async () => {
    onList(() => ({ status: 200, body: { servers: [rawServer(1), rawServer(2)] } }));
    const [fromImage, fromVolume] = await cloud.compute.listServers({});
    expect(fromImage).toEqual({
      uuid: 'server-1',
      name: 'vm-1',
      status: 'ACTIVE',
      vmState: 'active',
      taskState: null,
      powerState: 1,
      host: 'h1',
      hypervisorHostname: 'h1.example',
      availabilityZone: 'nova',
      projectId: 'p1',
      locked: false,
      metadata: { tier: 'gold' },
      bootedFromVolume: false,
      imageId: 'image',
      imageProperties: { hw_cpu_policy: 'dedicated', 'trait:CUSTOM_A': 'required' },
      flavor: {
        id: null,
        name: 'm1',
        vcpus: 2,
        ramMb: 4096,
        diskGb: 40,
        ephemeralGb: 0,
        swapMb: 0,
        extraSpecs: { 'hw:x': 'y' },
      },
      attachedVolumeIds: ['v1'],
      serverGroupIds: [],
      fault: null,
      created: '2026-01-01T00:00:00Z',
    });
    expect(fromVolume?.bootedFromVolume).toBe(true);
  });

  it('of an unreachable cell do not spoil the listing', async () => {
    const dark = { id: 'dark', status: 'UNKNOWN', tenant_id: 'p1', created: '2026-01-01T00:00:00Z', links: [] };
    onList(() => ({ status: 200, body: { servers: [dark] } }));
    expect(await cloud.compute.listServers({})).toMatchObject([{ uuid: 'dark', status: 'UNKNOWN', host: null }]);
  });

  it('of a wrong shape are an error that names the field', async () => {
    onList(() => ({ status: 200, body: { servers: [rawServer(1), { ...rawServer(2), flavor: { vcpus: 'many' } }] } }));
    const error = await failureOf(cloud.compute.listServers({}));
    expect(error).toBeInstanceOf(OpenStackError);
    expect(error).toMatchObject({ service: 'compute', status: 200, category: 'permanent' });
    expect(String(error)).toContain('servers[1].flavor.vcpus is "many", not a number');
  });

  it('are null only when Nova itself says 404', async () => {
    const get = (reply: Reply) => {
      scripted.script = (request) => (request.path.includes('/servers/') ? reply : undefined);
      return cloud.compute.getServer('gone');
    };
    expect(await get({ status: 404, body: { itemNotFound: { code: 404, message: 'Instance gone' } } })).toBeNull();
    expect(await failureOf(get({ status: 404, body: '<html>proxy</html>' }))).toMatchObject({ status: 404 });
    expect(await failureOf(get({ status: 200, body: '<html>proxy</html>' }))).toMatchObject({ status: 200 });
  });

  it('are read with an old Nova, but unsupported requests are refused before sending', async () => {
    const version = { id: 'v2.1', version: '2.53', min_version: '2.1' };
    scripted.script = (request) => {
      if (request.path === '/compute/v2.1/') return { status: 200, body: { version } };
      return request.path.endsWith('/servers/s1') ? { status: 200, body: { server: rawServer(1) } } : undefined;
    };
    await cloud.compute.getServer('s1');
    expect(scripted.seen.at(-1)?.headers['x-openstack-nova-api-version']).toBe('2.53');
    const error = await failureOf(cloud.compute.coldMigrate('s1', 'h2'));
    expect(error).toMatchObject({ status: 406, ambiguous: false });
    expect(String(error)).toContain('offers microversions 2.1 to 2.53, this call needs 2.56 to 2.56');
  });

  it('are read with the new microversion after Nova was exchanged', async () => {
    let max = '2.93';
    scripted.script = (request) => {
      if (request.path === '/compute/v2.1/') {
        return { status: 200, body: { version: { id: 'v2.1', version: max, min_version: '2.1' } } };
      }
      if (!request.path.endsWith('/servers/s1')) return undefined;
      const refused = request.headers['x-openstack-nova-api-version'] !== max;
      return refused ? { status: 406 } : { status: 200, body: { server: rawServer(1) } };
    };
    await cloud.compute.getServer('s1');
    max = '2.90';
    expect((await cloud.compute.getServer('s1'))?.uuid).toBe('server-1');
  });
});
