import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cloud } from '../cloud.ts';
import { connectTo, type Reply, type ScriptedCloud, startScriptedCloud } from '../testing/scripted-cloud.ts';

function rawHypervisor(name: string, serviceHost: string): object {
  const service = { id: `service-${name}`, host: serviceHost, disabled_reason: null };
  return { id: name, hypervisor_hostname: name, state: 'up', status: 'enabled', hypervisor_type: 'QEMU', service };
}

const record = { uuid: 'm', instance_uuid: 's1', migration_type: 'live-migration', source_compute: 'h1' };

describe('nova', () => {
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

  function response(path: string, body: unknown, status = 200): void {
    const reply: Reply = { status, body };
    scripted.script = (request) => (request.path === `/compute/v2.1${path}` ? reply : undefined);
  }

  it.each([
    [
      { hypervisor_version: 8_002_002, cpu_info: { arch: 'x86_64', model: 'EPYC', vendor: 'AMD', topology: {} } },
      8_002_002,
      { architecture: 'x86_64', model: 'EPYC' },
    ],
    [{ hypervisor_version: 1, cpu_info: '' }, 1, undefined],
    [{ cpu_info: { arch: 'aarch64', model: null } }, undefined, { architecture: 'aarch64' }],
    [{ cpu_info: { model: ['a', 'b'] } }, undefined, undefined],
  ])('reads the hardware of a hypervisor: %o', async (fields, version, cpu) => {
    const hypervisors = [{ ...rawHypervisor('h1', 'h1'), ...fields }];
    scripted.script = ({ path }) =>
      path.endsWith('/os-hypervisors/detail') ? { status: 200, body: { hypervisors } } : undefined;
    const [found] = await cloud.compute.listHypervisors();
    expect([found?.hypervisorVersion, found?.cpu]).toEqual([version, cpu]);
  });

  it('finds a hypervisor whose name is not the name of its service', async () => {
    const hypervisors = [rawHypervisor('h10', 'h10'), rawHypervisor('h1.example', 'h1')];
    scripted.script = (request) => {
      if (!request.path.endsWith('/os-hypervisors/detail')) return undefined;
      const pattern = request.query.get('hypervisor_hostname_pattern');
      const matches = hypervisors.filter((each) => JSON.stringify(each).includes(pattern ?? ''));
      return { status: 200, body: { hypervisors: pattern === 'h1' ? hypervisors.slice(0, 1) : matches } };
    };
    const found = await cloud.compute.findHypervisorByServiceHost('h1');
    expect(found).toMatchObject({ uuid: 'h1.example', serviceHost: 'h1', vcpus: null });
    expect(scripted.count('GET /compute/v2.1/os-hypervisors/detail')).toBe(2);
  });

  it('gives services; one of an unreachable cell is down', async () => {
    const service = { id: 'i1', host: 'h1', binary: 'nova-compute', zone: 'z', status: 'disabled', state: 'up' };
    const dark = { host: 'h2', binary: 'nova-compute', status: 'UNKNOWN' };
    response('/os-services', { services: [{ ...service, disabled_reason: 'broken fan', forced_down: true }, dark] });
    expect(await cloud.compute.listServices()).toMatchObject([
      { id: 'i1', status: 'disabled', state: 'up', forcedDown: true, disabledReason: 'broken fan' },
      { host: 'h2', status: 'enabled', state: 'down', forcedDown: false },
    ]);
  });

  it('sends a reason only when it disables', async () => {
    response('/os-services/i1', { service: { status: 'disabled' } });
    expect(await cloud.compute.setServiceStatus('i1', 'disabled', 'why')).toBe('disabled');
    expect(scripted.seen.at(-1)?.body).toEqual({ status: 'disabled', disabled_reason: 'why' });
    await cloud.compute.setServiceStatus('i1', 'enabled', 'why');
    expect(scripted.seen.at(-1)?.body).toEqual({ status: 'enabled' });
    await cloud.compute.setServiceStatus('i1', 'disabled', null);
    expect(scripted.seen.at(-1)?.body).toEqual({ status: 'disabled' });
  });

  it('gives server groups of both forms, page by page, and leaves out policies it does not know', async () => {
    const groups = [
      { id: 'g1', name: 'new', policy: 'anti-affinity', rules: { max_server_per_host: 2 }, members: ['s1'] },
      { id: 'g2', name: 'old', policies: ['affinity'], members: [] },
      { id: 'g3', name: 'strange', policies: ['legacy'], members: [] },
    ];
    scripted.script = (request) => {
      if (!request.path.endsWith('/os-server-groups')) return undefined;
      const offset = Number(request.query.get('offset'));
      return { status: 200, body: { server_groups: groups.slice(offset, offset + 2) } };
    };
    expect(await cloud.compute.listServerGroups()).toEqual([
      { uuid: 'g1', name: 'new', policy: 'anti-affinity', members: ['s1'], maxServerPerHost: 2 },
      { uuid: 'g2', name: 'old', policy: 'affinity', members: [], maxServerPerHost: 1 },
    ]);
  });

  it('gives flavors; no swap is an empty text in older versions', async () => {
    const flavor = { id: 'f1', name: 'm1', vcpus: 2, ram: 512, disk: 1, swap: '', 'OS-FLV-EXT-DATA:ephemeral': 5 };
    response('/flavors/detail', { flavors: [flavor, { ...flavor, id: 'f2', swap: 64, extra_specs: { 'hw:n': '1' } }] });
    expect(await cloud.compute.listFlavors()).toMatchObject([
      { id: 'f1', swapMb: 0, ephemeralGb: 5, extraSpecs: {} },
      { id: 'f2', swapMb: 64, extraSpecs: { 'hw:n': '1' } },
    ]);
  });

  it('gives migrations newest first', async () => {
    response('/os-migrations', {
      migrations: [
        { ...record, id: 1, status: 'error', created_at: '2026-01-01T00:00:01.000000', dest_compute: null },
        { ...record, id: 3, status: 'running', created_at: '2026-01-01T00:00:02.000000', dest_compute: 'h2' },
        { ...record, id: 2, status: 'completed', created_at: '2026-01-01T00:00:02.000000', dest_compute: 'h2' },
      ],
    });
    const found = await cloud.compute.listMigrations({ serverUuid: 's1' });
    expect(found.map((migration) => [migration.id, migration.status, migration.destHost])).toEqual([
      [3, 'running', 'h2'],
      [2, 'completed', 'h2'],
      [1, 'error', null],
    ]);
  });

  it('gives the migrations of all cells since a moment, of which several have the same id', async () => {
    const moment = Date.parse('2026-01-01T00:00:00Z');
    response('/os-migrations', {
      migrations: ['m1', 'm2'].map((uuid) => ({
        ...{ ...record, uuid, id: 1, status: 'completed', dest_compute: 'h2' },
        created_at: '2026-01-01T00:00:01.000000',
      })),
    });
    const found = await cloud.compute.listMigrationsSince(moment);
    expect(found.map(({ uuid }) => uuid)).toEqual(['m1', 'm2']);
    expect(scripted.seen.at(-1)?.query.get('changes-since')).toBe('2026-01-01T00:00:00.000Z');
  });

  it.each([
    [
      'live migration',
      () => cloud.compute.liveMigrate('s1', null),
      '2.30',
      { 'os-migrateLive': { host: null, block_migration: 'auto' } },
    ],
    [
      'live migration to a host',
      () => cloud.compute.liveMigrate('s1', 'h'),
      '2.30',
      { 'os-migrateLive': { host: 'h', block_migration: 'auto' } },
    ],
    ['cold migration', () => cloud.compute.coldMigrate('s1', null), '2.56', { migrate: null }],
    ['confirmation', () => cloud.compute.confirmResize('s1'), '2.56', { confirmResize: null }],
  ])('gets the documented body of a request for %s', async (_, call, version, body) => {
    response('/servers/s1/action', undefined, 202);
    await call();
    expect(scripted.seen.at(-1)?.headers['x-openstack-nova-api-version']).toBe(version);
    expect(scripted.seen.at(-1)?.body).toEqual(body);
  });

  it('passes the text of a refusal on', async () => {
    response('/servers/s1/migrations/7', { badRequest: { code: 400, message: 'not running' } }, 400);
    await expect(cloud.compute.abortLiveMigration('s1', 7)).rejects.toMatchObject({
      status: 400,
      message: 'not running',
      request: 'DELETE /servers/s1/migrations/7',
      category: 'permanent',
    });
  });
});
