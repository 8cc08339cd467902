import { describe, expect, it } from 'vitest';
import { InvalidInputError, type JsonObject } from '#libs/domain';
import {
  applyActions,
  assertWellBehaved,
  createTestWorld,
  runStrategy,
  type TestInstance,
  type TestWorld,
  testUuid,
} from '#libs/plugin-kit/testing';
import { ModelMissingError } from '../shared/report/errors.ts';
import { createTestStorage, type TestStorage } from '../testing/test-storage.ts';
import { scenario1 } from '../testing/watcher-scenarios.ts';
import { zoneMigrationStrategy } from './strategy.ts';

const [h0, h1, h2, h3, h4] = ['hostname_0', 'hostname_1', 'hostname_2', 'hostname_3', 'hostname_4'] as [
  string,
  string,
  string,
  string,
  string,
];
const [a, b] = ['host_0@backend_0#pool_0', 'host_1@backend_1#pool_0'] as [string, string];

/** Five hosts with room for arrivals. Memory and disk of the reference leave little. */
function s1(changes: Record<string, Partial<TestInstance>> = {}): TestWorld {
  return {
    hosts: scenario1.hosts.map((host) => ({ ...host, vcpus: 80, memory: 1000, disk: 1000 })),
    instances: (scenario1.instances ?? []).map((instance) => ({ ...instance, ...changes[instance.name] })),
  };
}

/** Two backends with a type each. */
function st1(volumes: NonNullable<TestStorage['volumes']>): TestStorage {
  return {
    pools: [{ name: a }, { name: b }],
    types: { type_0: { volume_backend_name: 'backend_0' }, type_1: { volume_backend_name: 'backend_1' } },
    volumes,
  };
}

async function run(
  parameters: JsonObject,
  { world = s1(), storage }: { world?: TestWorld; storage?: TestStorage } = {},
) {
  const snapshot = createTestWorld(world);
  const result = await runStrategy(zoneMigrationStrategy, {
    snapshot,
    storage: storage && createTestStorage(storage),
    parameters,
  });
  const made = result.actions.map(({ actionType, inputParameters: input }) =>
    [
      actionType === 'migrate' ? 'server' : 'volume',
      input.resource_name,
      input.migration_type,
      input.destination_node ?? input.destination_type ?? 'anywhere',
    ].join(' '),
  );
  applyActions(snapshot, result.actions);
  return { ...result, made, names: result.actions.map(({ inputParameters }) => inputParameters.resource_name) };
}

const nodes = (...pairs: [string, string?][]) => ({
  compute_nodes: pairs.map(([src_node, dst_node]) => ({ src_node, ...(dst_node ? { dst_node } : {}) })),
});

describe('zone_migration of instances', () => {
  it.each<[string, JsonObject, string[]]>([
    ['h0 to h1', nodes([h0, h1]), ['server I0 live hostname_1', 'server I1 live hostname_1']],
    ['h0 to the emptiest nodes', nodes([h0]), ['server I0 live hostname_3', 'server I1 live hostname_4']],
    [
      'h0, h1 and h4 to the emptiest nodes that are not sources',
      nodes([h0], [h1], [h4]),
      [
        'server I0 live hostname_3',
        'server I1 live hostname_3',
        'server I2 live hostname_2',
        'server I7 live hostname_3',
      ],
    ],
    [
      'h0 to h1 and h3 to h4, where one is stopped',
      nodes([h0, h1], [h3, h4]),
      ['server I0 live hostname_1', 'server I1 live hostname_1', 'server I6 cold hostname_4'],
    ],
    ['an unknown node', nodes(['nowhere']), []],
  ])('%s', async (_, parameters, expected) => {
    expect((await run(parameters)).made).toEqual(expected);
  });

  it('counts candidates and planned migrations', async () => {
    const { indicators } = await run(nodes([h0, h1], [h3, h4]));
    expect(indicators).toEqual({
      live_migrate_instance_count: 2,
      planned_live_migrate_instance_count: 2,
      cold_migrate_instance_count: 1,
      planned_cold_migrate_instance_count: 1,
      volume_migrate_count: 0,
      planned_volume_migrate_count: 0,
      volume_update_count: 0,
      planned_volume_update_count: 0,
    });
  });

  it.each<[JsonObject, string[], number]>([
    [{ parallel_per_node: 4 }, ['I0', 'I1', 'I3', 'I4', 'I5'], 0],
    [{ parallel_per_node: 1 }, ['I0', 'I3'], 3],
    [{ parallel_total: 1 }, ['I0'], 4],
    [{ parallel_total: 0 }, [], 5],
  ])('within %j moves %j; the others wait', async (limits, expected, waiting) => {
    const { names, report } = await run({ ...nodes([h0], [h2]), ...limits });
    expect(names).toEqual(expected);
    expect(report.notes.some((note) => note.startsWith(`${waiting} move`))).toBe(waiting > 0);
  });

  it.each<[JsonObject, JsonObject, string[]]>([
    [nodes([h0], [h2]), { compute_node: [h0, h2] }, ['I0', 'I1', 'I3', 'I4', 'I5']],
    [nodes([h0], [h2]), { compute_node: [h2, h0] }, ['I3', 'I4', 'I5', 'I0', 'I1']],
    [nodes([h0], [h2]), { project: ['91FF'] }, ['I0', 'I3', 'I4', 'I5', 'I1']],
    [nodes([h0], [h1]), { compute: 'mem_size' }, ['I1', 'I0', 'I2']],
    [nodes([h0], [h1]), { compute: 'vcpu_num' }, ['I2', 'I1', 'I0']],
    [nodes([h0], [h1]), { compute: 'disk_size' }, ['I0', 'I2', 'I1']],
    [nodes([h0], [h1]), { compute: 'created_at' }, ['I2', 'I1', 'I0']],
    [nodes([h0], [h2]), { compute_node: [h2], compute: 'vcpu_num' }, ['I3', 'I4', 'I5', 'I1', 'I0']],
    [nodes([h0], [h2]), { compute: 'vcpu_num', compute_node: [h2] }, ['I1', 'I3', 'I4', 'I5', 'I0']],
  ])('%j by %j', async (what, priority, expected) => {
    const world = s1({
      I0: { created: '2026-01-03T00:00:00Z', projectId: '91FF' },
      I1: { created: '2026-01-02T00:00:00Z', projectId: '26F0' },
      I2: { created: '2026-01-01T00:00:00Z', projectId: '109F' },
      I3: { projectId: '91FF' },
      I4: { projectId: '91FF' },
      I5: { projectId: '91FF' },
    });
    expect((await run({ ...what, priority, parallel_per_node: 9 }, { world })).names).toEqual(expected);
  });

  it.each<[string, Partial<TestInstance>, string]>([
    ['excluded (Watcher moved it)', { excluded: true }, 'instance-excluded'],
    ['locked', { locked: true }, 'instance-locked'],
    ['too large (Watcher did not ask)', { vcpus: 79 }, 'vcpu'],
    ['in error', { state: 'error' }, 'instance-state'],
    ['pinned to another zone', { pinnedZone: 'elsewhere' }, 'zone'],
    ['bound to a share', { shares: 'attached' }, 'manila-share'],
  ])('one that is %s stays, is reported, and takes no place of a limit', async (_, changes, constraint) => {
    const { names, report } = await run({ ...nodes([h0, h1]), parallel_per_node: 1 }, { world: s1({ I0: changes }) });
    expect(names).toEqual(['I1']);
    expect(report.blocked).toEqual([{ constraint, count: 1, examples: ['I0'] }]);
  });

  it('uses room outside the zone only', async () => {
    const world = s1();
    const full = {
      ...world,
      hosts: world.hosts.map((host, row) => (row < 2 ? host : { ...host, used: { vcpus: 80 } })),
    };
    const { actions, report } = await run(nodes([h0], [h1]), { world: full });
    expect(actions).toEqual([]);
    expect(report.emptyBecause).toBe('none of 3 instances and 0 volumes can leave');
    expect(report.blocked).toContainEqual({ constraint: 'vcpu', count: 3, examples: ['I0', 'I1', 'I2'] });
  });
});

describe('zone_migration of volumes', () => {
  const pools = (...entries: JsonObject[]) => ({ storage_pools: entries });

  it.each<[string, TestStorage['volumes'], JsonObject[], string[]]>([
    ['to a pool', [{ name: 'v', pool: a }], [{ src_pool: a, dst_pool: b }], [`volume v migrate ${b}`]],
    ['its own type and no pool', [{ name: 'v', pool: a, type: 'type_0' }], [{ src_pool: a, dst_type: 'type_0' }], []],
    [
      'to another type',
      [{ name: 'v', pool: a, type: 'type_0' }],
      [{ src_pool: a, dst_type: 'type_1' }],
      ['volume v retype type_1'],
    ],
    [
      'of a type only, exact entries before those of the whole pool, each once',
      [
        { name: 'v0', pool: a, type: 'type_0' },
        { name: 'v1', pool: a },
        { name: 'w', pool: b, type: 'type_1' },
      ],
      [
        { src_pool: a, dst_pool: b },
        { src_pool: a, src_type: 'type_0', dst_type: 'type_1' },
        { src_pool: b, src_type: 'type_0', dst_pool: a },
      ],
      ['volume v0 retype type_1', `volume v1 migrate ${b}`],
    ],
    [
      'a type that the pool does not serve (Watcher tried)',
      [{ name: 'v', pool: a, type: 'type_0' }],
      [{ src_pool: a, dst_pool: b }],
      [],
    ],
    ['a pool that is not there', [{ name: 'v', pool: a }], [{ src_pool: a, dst_pool: 'nowhere' }], []],
    ['a type that is not there', [{ name: 'v', pool: a }], [{ src_pool: a, dst_type: 'nothing' }], []],
    ['no room', [{ name: 'v', pool: a, size: 2000 }], [{ src_pool: a, dst_pool: b }], []],
    ['snapshots', [{ name: 'v', pool: a, snapshots: true }], [{ src_pool: a, dst_pool: b }], []],
  ])('%s', async (_, volumes = [], entries, expected) => {
    const { made, report } = await run(pools(...entries), { storage: st1(volumes) });
    expect(made).toEqual(expected);
    if (expected.length === 0) expect(report.blocked).toHaveLength(1);
  });

  it.each<[JsonObject, string[]]>([
    [{}, ['v0', 'v1']],
    [{ parallel_per_pool: 1 }, ['v0']],
    [{ parallel_total: 1 }, ['v0']],
    [{ parallel_per_pool: 4 }, ['v0', 'v1', 'v2', 'v3']],
  ])('within %j moves %j of four', async (limits, expected) => {
    const storage = st1([0, 1, 2, 3].map((index) => ({ name: `v${index}`, pool: a, size: 10 })));
    const { names, indicators } = await run({ ...pools({ src_pool: a, dst_pool: b }), ...limits }, { storage });
    expect(names).toEqual(expected);
    expect(indicators).toMatchObject({
      volume_migrate_count: 4,
      planned_volume_migrate_count: expected.length,
      planned_volume_update_count: expected.length,
    });
  });

  it.each<[JsonObject, string[]]>([
    [{ storage: 'size' }, ['v2', 'v0', 'v1']],
    [{ storage: 'created_at' }, ['v1', 'v2', 'v0']],
    [{ project: ['p1'] }, ['v1', 'v0', 'v2']],
    [{ storage_pool: [b, a] }, ['v2', 'v0', 'v1']],
  ])('by %j', async (priority, expected) => {
    const storage = st1([
      { name: 'v0', pool: a, size: 20, created: '2026-01-03T00:00:00', project: 'p0' },
      { name: 'v1', pool: a, size: 10, created: '2026-01-01T00:00:00', project: 'p1' },
      { name: 'v2', pool: b, size: 30, created: '2026-01-02T00:00:00', project: 'p0' },
    ]);
    const entries = pools({ src_pool: a, dst_pool: b }, { src_pool: b, dst_pool: a });
    expect((await run({ ...entries, priority }, { storage })).names).toEqual(expected);
  });

  describe('with servers', () => {
    const both = (withAttached: boolean) => ({
      ...nodes([h0, h1]),
      ...pools({ src_pool: a, dst_pool: b }),
      with_attached_volume: withAttached,
    });
    const attachedTo = (server: string) =>
      st1([
        { name: 'volume_1', pool: a, servers: [testUuid(server)] },
        { name: 'volume_2', pool: a },
      ]);

    it('goes volumes first, or each server right after its volume', async () => {
      const storage = attachedTo('I1');
      expect((await run(both(false), { storage })).names).toEqual(['volume_1', 'volume_2', 'I0', 'I1']);
      expect((await run(both(true), { storage })).names).toEqual(['volume_1', 'I1', 'volume_2', 'I0']);
    });

    it('leaves servers that are elsewhere, and says so', async () => {
      const { names, report } = await run(both(true), { storage: attachedTo('I3') });
      expect(names).toEqual(['volume_1', 'volume_2', 'I0', 'I1']);
      expect(report.notes.join()).toContain(`server ${testUuid('I3')} of volume volume_1`);
    });

    it('leaves volumes of servers that it knows nothing of', async () => {
      const { names, report } = await run(both(true), { storage: attachedTo('gone') });
      expect(names).toEqual(['volume_2', 'I0', 'I1']);
      expect(report.blocked).toEqual([{ constraint: 'server-unknown', count: 1, examples: ['volume_1'] }]);
    });

    it('moves no server without compute_nodes, and no volume of a stopped server', async () => {
      const only = { ...pools({ src_pool: a, dst_pool: b }), with_attached_volume: true };
      expect((await run(only, { storage: attachedTo('I1') })).names).toEqual(['volume_1', 'volume_2']);
      const { names, report } = await run(only, { storage: attachedTo('I6') });
      expect(names).toEqual(['volume_2']);
      expect(report.blocked).toEqual([{ constraint: 'server-state', count: 1, examples: ['volume_1'] }]);
    });
  });
});

describe('zone_migration', () => {
  it.each<JsonObject>([
    { compute_nodes: [{ dst_node: 'a' }] },
    { compute_nodes: [{ src_node: 'a', more: 'b' }] },
    { storage_pools: [{ src_pool: 'a' }] },
    { storage_pools: [{ src_pool: 'a', dst_pool: 'b', dst_type: 'c' }] },
    { storage_pools: [{ dst_pool: 'b' }] },
    { parallel_total: -1 },
    { priority: { compute: 'name' } },
    { priority: { colour: [] } },
    { more: 1 },
  ])('refuses %j', async (parameters) => {
    await expect(run(parameters)).rejects.toThrow(InvalidInputError);
  });

  it('names the requirement of a pair of pools in words', async () => {
    const refused = run({ storage_pools: [{ src_pool: 'a', dst_pool: 'b', dst_type: 'c' }] });
    await expect(refused).rejects.toThrow(
      'storage_pools[0]: must be: A src_pool with either a dst_pool or a dst_type, not both.',
    );
    await expect(refused).rejects.not.toThrow(';');
  });

  it('needs the storage model only for volumes', async () => {
    const storagePools = [{ src_pool: a, dst_pool: b }];
    const modelsFor = (given: object) => zoneMigrationStrategy.modelsFor?.(given as never);
    expect(modelsFor({})).toEqual(['compute']);
    expect(modelsFor({ storage_pools: storagePools })).toEqual(['compute', 'storage']);
    await expect(run({ storage_pools: storagePools })).rejects.toThrow(ModelMissingError);
    expect((await run({})).report.emptyBecause).toContain('nothing is left to move');
  });

  it('empties its sources plan by plan, whichever part of a plan has run', async () => {
    const sources = ['s0', 's1', 's2', 's3'];
    let world: TestWorld = {
      hosts: [...sources, 'd0', 'd1'].map((hostname) => ({ hostname, vcpus: 64 })),
      instances: Array.from({ length: 13 }, (_, row) => ({ name: `i${row}`, host: sources[row % 4], vcpus: 2 })),
    };
    const parameters = nodes(...sources.map((name): [string] => [name]));
    let runs = 0;
    for (let left = 13; left > 0; runs++) {
      const { actions } = await runStrategy(zoneMigrationStrategy, { snapshot: createTestWorld(world), parameters });
      expect(actions).not.toEqual([]);
      const done = actions.slice(0, Math.ceil(actions.length / 2));
      const model = applyActions(createTestWorld(world), done);
      const instances = (world.instances ?? []).map((instance) => {
        const moved = done.some(({ inputParameters }) => inputParameters.resource_name === instance.name);
        const host = model.hostOf[model.instanceRow(testUuid(instance.name)) as number] as number;
        return { ...instance, host: moved ? model.snapshot.hostInfo[host]?.hostname : instance.host };
      });
      world = { ...world, instances };
      left -= done.length;
    }
    expect(new Set(world.instances?.map(({ host }) => host))).toEqual(new Set(['d0', 'd1']));
    expect((await run(parameters, { world })).report.emptyBecause).toContain('nothing is left to move');
    expect(runs).toBeLessThan(13);
  });

  it('retries recently failed migrations after all others, so that these never wait for it', async () => {
    const leaving = async (...failed: string[]) => {
      const parameters = { ...nodes([h0]), parallel_per_node: 1 };
      const world = { snapshot: createTestWorld(s1()), parameters, failedMigrations: failed.map(testUuid) };
      const { actions } = await runStrategy(zoneMigrationStrategy, world);
      return actions.map(({ inputParameters }) => inputParameters.resource_name);
    };
    expect(await leaving()).toEqual(['I0']);
    expect(await leaving('I0')).toEqual(['I1']);
    expect(await leaving('I0', 'I1')).toEqual(['I0']);
  });

  it('tries volumes that failed lately last too', async () => {
    const parameters = { storage_pools: [{ src_pool: a, dst_pool: b }], parallel_per_pool: 1 };
    const storage = createTestStorage(st1(['v0', 'v1'].map((name) => ({ name, pool: a }))));
    const leaving = async (failedMigrations: string[]) =>
      (
        await runStrategy(zoneMigrationStrategy, {
          snapshot: createTestWorld(s1()),
          storage,
          parameters,
          failedMigrations,
        })
      ).actions.map(({ inputParameters }) => inputParameters.resource_id);
    const [first, second] = storage.volumes.map(({ uuid }) => uuid);
    expect(await leaving([])).toEqual([first]);
    expect(await leaving([first as string])).toEqual([second]);
  });

  it('keeps the promises of a strategy', async () => {
    await assertWellBehaved(zoneMigrationStrategy, {
      snapshot: createTestWorld(s1()),
      storage: createTestStorage(st1([{ name: 'v', pool: a }])),
      parameters: { ...nodes([h0]), storage_pools: [{ src_pool: a, dst_pool: b }] },
    });
  });
});
