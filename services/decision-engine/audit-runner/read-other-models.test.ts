import { describe, expect, it } from 'vitest';
import { type AuditScope, silentLogger } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import { createMetrics } from '#libs/service-kit';
import { createOtherModels } from '../model/other-models.ts';
import { AuditRefusedError } from './errors.ts';
import { type ModelRequest, readOtherModels } from './read-other-models.ts';

interface Fakes {
  services?: ('volume' | 'baremetal')[];
  typesFail?: boolean;
  volumesFail?: boolean;
  /** Of the volume. */
  status?: string;
}

/** Keepers over a cloud with one pool, one volume and one machine. `requested` counts listings of volumes. */
function keepers({ services = ['volume', 'baremetal'], typesFail, volumesFail, status = 'available' }: Fakes = {}) {
  const requested = { volumes: 0 };
  const clock = { nowMs: 5, now: () => clock.nowMs };
  const pool = {
    name: 'h@b#p',
    totalCapacityGb: 1,
    freeCapacityGb: 1,
    provisionedCapacityGb: 0,
    allocatedCapacityGb: 0,
  };
  const cloud = {
    hasVolumeService: async () => services.includes('volume'),
    hasBaremetalService: async () => services.includes('baremetal'),
    volume: {
      async listVolumes() {
        requested.volumes++;
        if (volumesFail) throw new Error('Cinder is down');
        return [
          {
            uuid: 'v',
            name: 'v',
            sizeGb: 1,
            status,
            host: 'h@b#p',
            attachments: [],
            migrationStatus: null,
          },
        ];
      },
      listPools: async () => [{ ...pool, volumeBackendName: 'b', capabilities: {} }],
      async listTypes() {
        if (typesFail) throw new Error('no types today');
        return [];
      },
      listServices: async () => [],
      listSnapshots: async () => [],
    },
    baremetal: { listNodes: async () => [{ uuid: 'n', powerState: 'power on', targetPowerState: null }] },
  } as unknown as Cloud;
  const models = createOtherModels({
    cloud,
    clock,
    followedMaxAgeMs: 300_000,
    logger: silentLogger,
    metrics: createMetrics('test'),
  });
  return { models, requested, clock };
}

function request(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    strategy: { name: 'moves_volumes', needsCompleteModel: false },
    models: ['compute', 'storage', 'baremetal'],
    scope: [],
    age: { maxAgeMs: 1000, sinceMs: Number.POSITIVE_INFINITY, clock: { now: () => 5 } },
    ...changes,
  };
}

describe('models other than compute', () => {
  it('are read when a strategy needs them, and kept', async () => {
    const { models, requested } = keepers();
    const read = await readOtherModels(request(), models);
    await readOtherModels(request(), models);
    expect(read.storage?.volumes).toMatchObject([{ uuid: 'v', pool: 0 }]);
    expect(read.baremetal?.nodes).toMatchObject([{ uuid: 'n', power: 'on' }]);
    expect(read).toMatchObject({ complete: true, notes: [] });
    expect(requested.volumes).toBe(1);
  });

  it('are younger than the last change, also while they are followed', async () => {
    const { models, requested, clock } = keepers();
    const readSince = (sinceMs: number) =>
      readOtherModels(request({ age: { maxAgeMs: 1000, sinceMs, clock } }), models);
    models.storage.setFollowed(true);
    await readSince(Number.POSITIVE_INFINITY);
    clock.nowMs += 50_000;
    await readSince(Number.POSITIVE_INFINITY);
    expect(requested.volumes).toBe(1);
    await readSince(20_000);
    expect(requested.volumes).toBe(2);
  });

  it('do not count as followed while a volume moves, since Cinder does not report its arrival', async () => {
    const { models, requested, clock } = keepers({ status: 'retyping' });
    const age = { maxAgeMs: 1000, sinceMs: Number.POSITIVE_INFINITY, clock };
    models.storage.setFollowed(true);
    await readOtherModels(request({ age }), models);
    await readOtherModels(request({ age }), models);
    expect(requested.volumes).toBe(1);
    clock.nowMs += 2000;
    await readOtherModels(request({ age }), models);
    expect(requested.volumes).toBe(2);
  });

  it('are left alone otherwise', async () => {
    const { models, requested } = keepers({ services: [] });
    expect(await readOtherModels(request({ models: ['compute'] }), models)).toEqual({ complete: true, notes: [] });
    expect(requested.volumes).toBe(0);
  });

  it('are limited to the scope, which is reported', async () => {
    const scope: AuditScope = [
      { storage: [{ exclude: [{ volumes: [{ uuid: 'v' }] }, { storage_pools: [{ name: 'x' }] }] }] },
      { baremetal: [{ exclude: [{ ironic_nodes: [{ uuid: 'n' }] }] }] },
    ];
    const read = await readOtherModels(request({ scope }), keepers().models);
    expect(read.storage?.volumes).toEqual([]);
    expect(read.baremetal?.nodes).toEqual([]);
    expect(read.notes).toEqual([
      'the scope leaves out 0 storage pools and 1 volumes',
      'the scope names storage pool x, which the cloud does not have',
      'the scope leaves out 1 bare metal nodes',
    ]);
  });

  it.each<[string, Fakes, Partial<ModelRequest>, string]>([
    [
      'no Cinder',
      { services: ['baremetal'] },
      {},
      'needs the storage model, and the catalogue of the cloud has no block',
    ],
    [
      'no Ironic',
      { services: ['volume'] },
      {},
      'needs the baremetal model, and the catalogue of the cloud has no bare',
    ],
    [
      'a part is missing and all is needed',
      { typesFail: true },
      { strategy: { name: 's', needsCompleteModel: true } },
      'volume types could not be listed: no types today',
    ],
  ])('refuse the audit: %s', async (_, fakes, changes, reason) => {
    const reading = readOtherModels(request(changes), keepers(fakes).models);
    await expect(reading).rejects.toThrow(AuditRefusedError);
    await expect(reading).rejects.toThrow(reason);
  });

  it('may be incomplete, which is reported, but not absent', async () => {
    const read = await readOtherModels(request(), keepers({ typesFail: true }).models);
    expect(read).toMatchObject({ complete: false, notes: ['volume types could not be listed: no types today'] });
    await expect(readOtherModels(request(), keepers({ volumesFail: true }).models)).rejects.toThrow('Cinder is down');
    await expect(readOtherModels(request(), undefined)).rejects.toThrow('needs the storage model, which is not kept');
  });
});
