import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '#libs/domain';
import type { StoragePool, Volume } from '#libs/openstack';
import { createStorageWhatIf } from './create-storage-what-if.ts';
import { buildStorageSnapshot, type StorageModelInput } from './storage-builder.ts';
import { applyStorageScope } from './storage-scope.ts';
import { isStorageAtRest } from './storage-snapshot.ts';
import { storageConstraintNames } from './storage-what-if.ts';

function pool(name: string, changes: Partial<StoragePool> = {}): StoragePool {
  return {
    name,
    totalCapacityGb: 500,
    freeCapacityGb: 420,
    provisionedCapacityGb: 80,
    allocatedCapacityGb: 80,
    volumeBackendName: null,
    capabilities: {},
    ...changes,
  };
}

function volume(uuid: string, host: string | null, changes: Partial<Volume> = {}): Volume {
  return {
    uuid,
    name: uuid,
    sizeGb: 40,
    status: 'available',
    volumeType: null,
    host,
    attachments: [],
    multiattach: false,
    bootable: false,
    migrationStatus: null,
    nameId: null,
    projectId: 'p',
    ...changes,
  };
}

/**
 * ST1 of the reference: two backends in a zone and with a type each, two pools of two volumes each, one volume on none.
 */
function st1(changes: Partial<StorageModelInput> = {}): StorageModelInput {
  const services = [0, 1].map((index) => ({
    host: `host_${index}@backend_${index}`,
    zone: `zone_${index}`,
    status: 'enabled' as const,
    state: 'up' as const,
  }));
  const pools = services.flatMap(({ host }) => [pool(`${host}#pool_0`), pool(`${host}#pool_1`)]);
  return {
    services,
    pools,
    volumes: [
      ...pools.flatMap(({ name }, row) => [volume(`v${2 * row}`, name), volume(`v${2 * row + 1}`, name)]),
      volume('v8', null),
    ],
    types: [0, 1].map((index) => ({
      id: `t${index}`,
      name: `type_${index}`,
      extraSpecs: { volume_backend_name: `backend_${index}` },
    })),
    snapshots: [],
    takenAtMs: 7,
    ...changes,
  };
}

const names = (list: { name: string }[]) => list.map(({ name }) => name);
const [p00, p01, p10] = ['host_0@backend_0#pool_0', 'host_0@backend_0#pool_1', 'host_1@backend_1#pool_0'] as const;

describe('the storage snapshot', () => {
  it('joins volumes, pools, backends and types', () => {
    const snapshot = buildStorageSnapshot(st1());
    expect(snapshot.nodes[1]).toMatchObject({ host: 'host_1@backend_1', zone: 'zone_1', volumeTypes: ['type_1'] });
    expect(snapshot.pools.map(({ node, backendName }) => [node, backendName])).toEqual([
      [0, 'backend_0'],
      [0, 'backend_0'],
      [1, 'backend_1'],
      [1, 'backend_1'],
    ]);
    expect(snapshot.volumes.map((entry) => entry.pool)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, -1]);
    expect(snapshot).toMatchObject({ takenAtMs: 7, complete: true });
  });

  it('keeps pools without sizes or service, and leaves shadows of migrations out', () => {
    const unknown = pool('x@y#z', { totalCapacityGb: null, freeCapacityGb: null, provisionedCapacityGb: null });
    const shadow = volume('shadow', p10, { migrationStatus: 'target:v0' });
    const leftOver = volume('v', p10, { migrationStatus: 'deleting' });
    const volumes = [shadow, leftOver, volume('v', 'x@y#z')];
    const snapshot = buildStorageSnapshot(st1({ pools: [unknown], volumes }));
    expect(snapshot.pools).toMatchObject([{ name: 'x@y#z', node: -1, totalGb: null, freeGb: null }]);
    expect(snapshot.volumes).toMatchObject([{ uuid: 'v', pool: 0 }]);
    expect(createStorageWhatIf(snapshot).free(0)).toBeNaN();
  });

  it.each([
    [{}, true],
    [{ migrationStatus: 'success' }, true],
    [{ migrationStatus: 'error' }, true],
    [{ migrationStatus: 'starting' }, false],
    [{ migrationStatus: 'completing' }, false],
    [{ status: 'retyping' }, false],
    [{ status: 'maintenance' }, false],
  ])('a volume with %j is at rest: %s', (changes, isAtRest) => {
    const snapshot = buildStorageSnapshot(st1({ volumes: [volume('v', p00, changes)] }));
    expect(isStorageAtRest(snapshot)).toBe(isAtRest);
  });

  it('reports missing parts', () => {
    expect(buildStorageSnapshot(st1({ gaps: ['no types'] }))).toMatchObject({ complete: false, gaps: ['no types'] });
  });
});

describe('the storage scope', () => {
  const scoped = (rules: object[], before: object[] = []) =>
    applyStorageScope(buildStorageSnapshot(st1()), [...before, { storage: rules }] as never);

  it.each<[string, object[], string[], number]>([
    ['nothing', [], [p00, p01, p10, 'host_1@backend_1#pool_1'], 9],
    ['a zone', [{ availability_zones: [{ name: 'zone_0' }] }], [p00, p01], 4],
    // Watcher fails on volume types altogether.
    ['a type', [{ volume_types: [{ name: 'type_1' }] }], [p10, 'host_1@backend_1#pool_1'], 4],
    [
      'a zone and a type, united',
      [{ availability_zones: [{ name: 'zone_0' }] }, { volume_types: [{ name: 'type_1' }] }],
      [p00, p01, p10, 'host_1@backend_1#pool_1'],
      8,
    ],
    // Watcher allows everything when nothing matches.
    ['a zone that is not there', [{ availability_zones: [{ name: 'zone_9' }] }], [], 0],
    [
      'all zones but a pool',
      [{ availability_zones: [{ name: '*' }] }, { exclude: [{ storage_pools: [{ name: p00 }] }] }],
      [p01, p10, 'host_1@backend_1#pool_1'],
      6,
    ],
    ['without a volume', [{ exclude: [{ volumes: [{ uuid: 'v0' }] }] }], [p00, p01, p10, 'host_1@backend_1#pool_1'], 8],
    [
      'without a project',
      [{ exclude: [{ projects: [{ uuid: 'p' }] }] }],
      [p00, p01, p10, 'host_1@backend_1#pool_1'],
      0,
    ],
  ])('%s', (_, rules, pools, volumes) => {
    const { snapshot, report } = scoped(rules);
    expect(names(snapshot.pools)).toEqual(pools);
    expect(snapshot.volumes).toHaveLength(volumes);
    expect(report).toMatchObject({ poolsRemoved: 4 - pools.length, volumesRemoved: 9 - volumes });
    for (const { pool: row, host } of snapshot.volumes) if (row >= 0) expect(snapshot.pools[row]?.name).toBe(host);
  });

  it('works at any place of its entry, and names parts that the cloud does not have', () => {
    const rules = [{ exclude: [{ storage_pools: [{ name: 'nowhere' }] }, { volumes: [{ uuid: 'none' }] }] }];
    const { report } = scoped(rules, [{ compute: [{ availability_zones: [{ name: 'az' }] }] }]);
    expect(report.unknown).toEqual(['storage pool nowhere', 'volume none']);
  });

  it('refuses a wildcard beside others', () => {
    expect(() => scoped([{ availability_zones: [{ name: '*' }, { name: 'zone_0' }] }])).toThrow(InvalidInputError);
    expect(() => scoped([{ volume_types: 'all' }])).toThrow('storage.volume_types: must be a list');
  });
});

describe('the storage what-if', () => {
  const of = (changes: Partial<Volume>, input: Partial<StorageModelInput> = {}) =>
    createStorageWhatIf(buildStorageSnapshot({ ...st1(), volumes: [volume('v', p00, changes)], ...input }));

  it.each<[string | null, Partial<Volume>, Partial<StorageModelInput>]>([
    [null, {}, {}],
    [null, { migrationStatus: 'success', status: 'in-use' }, {}],
    [null, { migrationStatus: 'none' }, {}],
    ['volume-migrating', { migrationStatus: 'migrating' }, {}],
    ['volume-status', { status: 'retyping' }, {}],
    ['volume-multiattach', { attachments: ['a', 'b'].map((id) => ({ serverId: id, attachmentId: id })) }, {}],
    ['volume-snapshots', {}, { snapshots: [{ uuid: 's', name: '', volumeId: 'v', status: 'available', sizeGb: 1 }] }],
    ['volume-group', { groupId: 'g' }, {}],
    ['volume-replicated', { replicated: true }, {}],
    [null, { encrypted: true }, {}],
    [
      'volume-encrypted',
      { encrypted: true, status: 'in-use', attachments: [{ serverId: 'a', attachmentId: 'a' }] },
      {},
    ],
    ['volume-unplaced', { host: 'elsewhere' }, {}],
    ['pool-type', { volumeType: 'type_0' }, {}],
    ['unknown-type', { volumeType: 'gone' }, {}],
    ['pool-capacity', { sizeGb: 421 }, {}],
  ])('returns %s for %j', (expected, changes, input) => {
    const model = of(changes, input);
    expect(model.refusal(0, 2)).toBe(expected);
    if (expected !== null) expect(storageConstraintNames).toContain(expected);
  });

  it('knows the services and promises of pools', () => {
    const services = st1().services.map((service) => ({ ...service, state: 'down' as const }));
    expect(of({}, { services }).refusal(0, 1)).toBe('pool-down');
    const disabled = st1().services.map((service) => ({ ...service, status: 'disabled' as const }));
    expect(of({}, { services: disabled }).refusal(0, 1)).toBe('pool-disabled');
    const capabilities = { thin_provisioning_support: 'True', max_over_subscription_ratio: '1.2' };
    const thin = (provisionedCapacityGb: number) => [pool(p00), pool(p01, { capabilities, provisionedCapacityGb })];
    expect(of({}, { pools: thin(560) }).refusal(0, 1)).toBeNull();
    expect(of({}, { pools: thin(561) }).refusal(0, 1)).toBe('pool-oversubscription');
    // After many migrations Cinder has allocated more than there is.
    const drifted = (changes: Partial<StoragePool>) => [pool(p00), pool(p01, { capabilities, ...changes })];
    const one = { allocatedCapacityGb: 5000 };
    expect(of({}, { pools: drifted(one) }).refusal(0, 1)).toBeNull();
    expect(of({}, { pools: drifted({ ...one, provisionedCapacityGb: null }) }).refusal(0, 1)).toBe(
      'pool-oversubscription',
    );
    const reserved = [pool(p00), pool(p01, { capabilities: { reserved_percentage: '80' } })];
    expect(of({}, { pools: reserved }).refusal(0, 1)).toBe('pool-capacity');
  });

  it('lets only as much into a thin pool as it takes in any order', () => {
    const capabilities = { thin_provisioning_support: 'True', max_over_subscription_ratio: '2.0' };
    const pools = [pool(p00), pool(p01, { capabilities, freeCapacityGb: 102 })];
    const volumes = [31, 119, 80].map((sizeGb, row) => volume(`v${row}`, p00, { sizeGb }));
    const model = createStorageWhatIf(buildStorageSnapshot(st1({ pools, volumes })));
    expect([0, 1, 2].map((row) => model.refusal(row, 1))).toEqual([null, null, null]);
    model.move(0, 1);
    // After 119 GB the 31 would no longer fit.
    expect([1, 2].map((row) => model.refusal(row, 1))).toEqual(['pool-capacity', null]);
  });

  it('compares capabilities of backends with requirements of types', () => {
    const types = [{ id: 't', name: 't', extraSpecs: { multiattach: '<is> True', untold: 'x' } }];
    const pools = [
      pool(p00),
      pool(p01, { capabilities: { multiattach: 'true' } }),
      pool(p10, { capabilities: { multiattach: 'False' } }),
    ];
    const model = of({ volumeType: 't' }, { types, pools });
    expect([model.refusal(0, 1), model.refusal(0, 2)]).toEqual([null, 'pool-type']);
  });

  it('moves and retypes in its own view', () => {
    const snapshot = buildStorageSnapshot(st1({ volumes: [volume('v', p00, { volumeType: 'type_0' })] }));
    const model = createStorageWhatIf(snapshot);
    expect(model.refusal(0, 0)).toBe('same-pool');
    expect(model.refusal(0, 2, 'type_0')).toBe('same-type');
    expect(model.refusal(0, 2, 'type_1')).toBeNull();
    model.move(0, 2, 'type_1');
    expect([model.free(0), model.free(2), model.poolOf[0], model.typeOf(0)]).toEqual([460, 380, 2, 'type_1']);
    expect(model.usedShare(2)).toBeCloseTo(0.24);
    expect(model.poolRow(p10)).toBe(2);
    expect(model.volumeRow('v')).toBe(0);
    expect(snapshot.volumes[0]).toMatchObject({ pool: 0, type: 'type_0' });
  });
});
