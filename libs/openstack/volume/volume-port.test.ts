import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cloud } from '../cloud.ts';
import { connectTo, failureOf, type ScriptedCloud, startScriptedCloud } from '../testing/scripted-cloud.ts';

const rawVolume = {
  id: 'v1',
  name: null,
  size: 20,
  status: 'in-use',
  volume_type: 'fast',
  bootable: 'true',
  multiattach: false,
  'os-vol-host-attr:host': 'host@lvm#pool',
  'os-vol-mig-status-attr:migstat': null,
  attachments: [{ server_id: 's1', attachment_id: 'a1', device: '/dev/vdb' }],
};

const volume = {
  uuid: 'v1',
  name: '',
  sizeGb: 20,
  status: 'in-use',
  volumeType: 'fast',
  host: 'host@lvm#pool',
  attachments: [{ serverId: 's1', attachmentId: 'a1' }],
  multiattach: false,
  bootable: true,
  migrationStatus: null,
  nameId: null,
};

const pools = [
  {
    name: 'host@lvm#pool',
    capabilities: { total_capacity_gb: 100.5, free_capacity_gb: 'unknown', volume_backend_name: 'lvm' },
  },
  { name: 'host@ceph#all', capabilities: { total_capacity_gb: 'infinite', provisioned_capacity_gb: '7' } },
];

describe('block storage', () => {
  let scripted: ScriptedCloud;
  let cloud: Cloud;
  let versions: unknown;

  beforeEach(async () => {
    scripted = await startScriptedCloud();
    cloud = connectTo(scripted, { endpointOverrides: { volumev3: `${scripted.url}/volume/v3/p1` } });
    versions = { versions: [{ id: 'v3.0', version: '3.70', min_version: '3.0' }] };
    const responses: Record<string, () => unknown> = {
      '/volume/': () => versions,
      '/volume/v3/p1/volumes/detail': () => ({ volumes: [rawVolume] }),
      '/volume/v3/p1/volumes/v1': () => ({ volume: rawVolume }),
      '/volume/v3/p1/types': () => ({ volume_types: [{ id: 't1', name: 'fast', extra_specs: { a: 'b' } }] }),
      '/volume/v3/p1/scheduler-stats/get_pools': () => ({ pools }),
      '/volume/v3/p1/os-services': () => ({
        services: [{ host: 'host@lvm', zone: 'nova', status: 'enabled', state: 'up' }],
      }),
    };
    scripted.script = (request) => {
      const response = responses[request.path];
      return response === undefined ? undefined : { status: 200, body: response() };
    };
  });

  afterEach(async () => {
    await cloud.close();
    await scripted.close();
  });

  it('is found by an alias of its type', async () => {
    expect(await cloud.hasVolumeService()).toBe(true);
    const without = connectTo(scripted);
    expect(await without.hasVolumeService()).toBe(false);
    expect(String(await failureOf(without.volume.listVolumes()))).toContain('no public endpoint of type block-storage');
    await without.close();
  });

  it('is read with the microversions that its root document has', async () => {
    expect(await cloud.volume.listVolumes()).toEqual([volume]);
    expect(scripted.seen.at(-1)?.headers['openstack-api-version']).toBe('volume 3.70');
    expect(await cloud.volume.getVolume('v1')).toEqual(volume);
    expect(await cloud.volume.getVolume('v2')).toBeNull();
  });

  it.each([
    [{ group_id: null, consistencygroup_id: '', replication_status: 'disabled', encrypted: false }, {}],
    [
      { group_id: 'g', replication_status: 'not-capable', encrypted: true },
      { groupId: 'g', encrypted: true },
    ],
    [
      { consistencygroup_id: 'c', replication_status: 'enabled' },
      { groupId: 'c', replicated: true },
    ],
  ])('reasons against the move of a volume are read from %j', async (fields, expected) => {
    const former = scripted.script;
    const body = { volume: { ...rawVolume, ...fields } };
    scripted.script = (request) => (request.path.endsWith('/volumes/v1') ? { status: 200, body } : former(request));
    expect(await cloud.volume.getVolume('v1')).toEqual({ ...volume, ...expected });
  });

  it('is read without microversions when there is no document', async () => {
    versions = {};
    expect(await cloud.volume.listVolumes()).toEqual([volume]);
    expect(scripted.seen.at(-1)?.headers).not.toHaveProperty('openstack-api-version');
  });

  it('finds a volume by its very name', async () => {
    scripted.script = (request) => {
      if (request.path === '/volume/') return { status: 200, body: versions };
      const named = [rawVolume, { ...rawVolume, id: 'v3', name: 'data', 'os-vol-mig-status-attr:name_id': 'v9' }];
      return request.query.get('name') === 'data' ? { status: 200, body: { volumes: named } } : undefined;
    };
    expect(await cloud.volume.getVolumeByName('data')).toMatchObject({ uuid: 'v3', nameId: 'v9' });
  });

  it('never takes the temporary volume of a migration for the one of that name', async () => {
    const key = 'os-vol-mig-status-attr:migstat';
    const named = (id: string, changes: object) => ({ ...rawVolume, id, name: 'data', ...changes });
    scripted.script = (request) => {
      if (request.path === '/volume/') return { status: 200, body: versions };
      if (request.query.get('name') !== 'data') return undefined;
      const volumes = [named('left', { status: 'deleting' }), named('v8', { [key]: 'target:v3' }), named('v3', {})];
      return { status: 200, body: { volumes } };
    };
    expect(await cloud.volume.getVolumeByName('data')).toMatchObject({ uuid: 'v3' });
  });

  it('gives snapshots', async () => {
    const snapshots = [{ id: 'x', volume_id: 'v1', status: 'available', size: 1 }];
    scripted.script = ({ path }) => {
      if (path === '/volume/') return { status: 200, body: versions };
      return path.endsWith('/snapshots/detail') ? { status: 200, body: { snapshots } } : undefined;
    };
    expect(await cloud.volume.listSnapshots()).toEqual([
      { uuid: 'x', name: '', volumeId: 'v1', status: 'available', sizeGb: 1 },
    ]);
  });

  it('migrates and retypes, each with one request', async () => {
    scripted.script = ({ method, path }) =>
      method === 'POST' && path === '/volume/v3/p1/volumes/v1/action'
        ? { status: 202 }
        : path === '/volume/'
          ? { status: 200, body: versions }
          : undefined;
    await cloud.volume.migrateVolume('v1', 'host@ceph#all');
    expect(scripted.seen.at(-1)?.body).toEqual({ 'os-migrate_volume': { host: 'host@ceph#all', lock_volume: true } });
    await cloud.volume.retypeVolume('v1', 'fast');
    expect(scripted.seen.at(-1)?.body).toEqual({ 'os-retype': { new_type: 'fast', migration_policy: 'on-demand' } });
    expect(scripted.count('POST /volume/v3/p1/volumes/v1/action')).toBe(2);
  });

  it('reads pools, types and services', async () => {
    expect(await cloud.volume.listPools()).toEqual([
      {
        name: 'host@lvm#pool',
        totalCapacityGb: 100.5,
        freeCapacityGb: null,
        provisionedCapacityGb: null,
        allocatedCapacityGb: null,
        volumeBackendName: 'lvm',
        capabilities: { total_capacity_gb: '100.5', free_capacity_gb: 'unknown', volume_backend_name: 'lvm' },
      },
      {
        name: 'host@ceph#all',
        totalCapacityGb: null,
        freeCapacityGb: null,
        provisionedCapacityGb: 7,
        allocatedCapacityGb: null,
        volumeBackendName: null,
        capabilities: { total_capacity_gb: 'infinite', provisioned_capacity_gb: '7' },
      },
    ]);
    expect(await cloud.volume.listTypes()).toEqual([{ id: 't1', name: 'fast', extraSpecs: { a: 'b' } }]);
    expect(await cloud.volume.listServices()).toEqual([
      { host: 'host@lvm', zone: 'nova', status: 'enabled', state: 'up' },
    ]);
  });
});
