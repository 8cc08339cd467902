import { describe, expect, it } from 'vitest';
import type { WorldFile, WorldVolume } from '#libs/world-file';
import { manualSimulation, smallWorld } from '../testing/simulation-fixture.ts';

const pools = [
  { name: 's1@lvm#one', total_gb: 100, backend_name: 'lvm' },
  { name: 's1@lvm#two', total_gb: 100, backend_name: 'lvm' },
  { name: 's2@ceph#all', total_gb: 100, backend_name: 'ceph' },
];
const storage: Partial<WorldFile> = {
  pools,
  volume_types: [
    { name: 'plain', extra_specs: { volume_backend_name: 'lvm' } },
    { name: 'fast', extra_specs: { volume_backend_name: 'ceph' } },
  ],
  volumes: [
    { name: 'free', size_gb: 40, type: 'plain' },
    { name: 'used', size_gb: 10, type: 'plain' },
  ],
};

function setUp(state: 'active' | 'stopped' = 'active', kind: Partial<WorldVolume> = {}) {
  const volumes = storage.volumes?.map((volume) => ({ ...volume, ...kind }));
  const world = smallWorld([{ volumes: ['used'], state }], { ...storage, volumes });
  const { simulation, pass } = manualSimulation(world);
  const named = (name: string) => {
    const found = [...simulation.state.volumes.values()].find((volume) => volume.name === name);
    if (!found) throw new Error(`no volume ${name}`);
    return found;
  };
  const freeGb = (name: string) => simulation.state.pools.find((pool) => pool.name === name)?.freeGb;
  return { simulation, pass, named, freeGb, operations: simulation.volumeOperations };
}

describe('migration', () => {
  it('takes time by its size, leaves a shadow for a while and moves the allocation', () => {
    const { simulation, pass, named, freeGb, operations } = setUp();
    const volume = named('free');
    operations.migrate(volume, 's1@lvm#two', true);
    expect(volume).toMatchObject({ busy: 'maintenance', migrationStatus: 'starting', pool: 's1@lvm#one' });
    pass(2);
    expect(volume.migrationStatus).toBe('migrating');
    expect(simulation.state.volumes.size).toBe(3);
    pass((40 * 1024) / 400);
    expect(volume.migrationStatus).toBe('completing');
    pass(2);
    expect(volume).toMatchObject({ busy: null, migrationStatus: 'success', pool: 's1@lvm#two' });
    const shadow = [...simulation.state.volumes.values()].find((one) => one.nameId === volume.uuid);
    expect(shadow).toMatchObject({ busy: 'deleting', pool: 's1@lvm#one' });
    pass(11);
    expect(simulation.state.volumes.size).toBe(2);
    expect([freeGb('s1@lvm#one'), freeGb('s1@lvm#two')]).toEqual([90, 60]);
    // As in Cinder, which still counts volumes that have left.
    expect(simulation.state.pools.map(({ allocationDriftGb = 0 }) => allocationDriftGb)).toEqual([40, 0, 0]);
  });

  it('is refused for unknown pools, the same pool and a moving volume', () => {
    const { named, operations } = setUp();
    expect(() => operations.migrate(named('free'), 'x@y#z', true)).toThrow("No available service named 'x@y#z'");
    expect(() => operations.migrate(named('free'), 's1@lvm#one', true)).toThrow('must be different than the current');
    operations.migrate(named('free'), 's1@lvm#two', true);
    expect(() => operations.retype(named('free'), 'fast', 'never')).toThrow('not be part of an active migration');
  });

  it('is refused for a volume with replicas or of a group, and the change of type of the latter', () => {
    const { named, operations } = setUp('active', { group: 'g' });
    expect(() => operations.migrate(named('free'), 's1@lvm#two', true)).toThrow('be part of a group');
    expect(() => operations.retype(named('free'), 'fast', 'never')).toThrow('a consistency group');
    const other = setUp('active', { replicated: true });
    expect(() => other.operations.migrate(other.named('free'), 's1@lvm#two', true)).toThrow('be replicated');
  });

  it('ends in error for an attached encrypted volume, and moves a detached one', () => {
    const { pass, named, operations } = setUp('active', { encrypted: true });
    for (const name of ['free', 'used']) operations.migrate(named(name), 's1@lvm#two', true);
    pass(200);
    expect(named('used')).toMatchObject({ migrationStatus: 'error', pool: 's1@lvm#one' });
    expect(named('free')).toMatchObject({ migrationStatus: 'success', pool: 's1@lvm#two' });
  });

  it.each([
    ['the type does not fit', 'active', 's2@ceph#all', false],
    ['the server is off', 'stopped', 's1@lvm#two', false],
    ['a fault says so', 'active', 's1@lvm#two', true],
    ['the backend has no such pool', 'active', 's1@lvm#three', false],
  ] as const)('ends in error when %s', (_why, state, pool, faulty) => {
    const { simulation, pass, named, operations } = setUp(state);
    if (faulty) simulation.faults.add({ kind: 'volume-error', volume: 'used', count: 1 });
    operations.migrate(named('used'), pool, true);
    pass(100);
    expect(named('used')).toMatchObject({ migrationStatus: 'error', busy: null, pool: 's1@lvm#one' });
    expect(simulation.state.volumes.size).toBe(2);
  });

  it('selects the pool with the most space of a backend without a pool name', () => {
    const { pass, named, operations } = setUp();
    operations.migrate(named('used'), 's1@lvm', true);
    pass(100);
    expect(named('used')).toMatchObject({ migrationStatus: 'success', pool: 's1@lvm#two' });
  });

  it('waits while a fault stalls it', () => {
    const { simulation, pass, named, operations } = setUp();
    const fault = simulation.faults.add({ kind: 'volume-stall', pool: 's1@lvm#two' });
    operations.migrate(named('used'), 's1@lvm#two', true);
    pass(1000);
    expect(named('used').migrationStatus).toBe('migrating');
    simulation.faults.remove(fault.id);
    pass(20);
    expect(named('used').migrationStatus).toBe('success');
  });
});

describe('change of type', () => {
  it('moves the volume only if allowed', () => {
    const { pass, named, operations } = setUp();
    operations.retype(named('free'), 'fast', 'never');
    expect(named('free').busy).toBe('retyping');
    pass(200);
    expect(named('free')).toMatchObject({ busy: null, type: 'plain', pool: 's1@lvm#one' });
    operations.retype(named('free'), 'fast', 'on-demand');
    pass(200);
    expect(named('free')).toMatchObject({ busy: null, type: 'fast', pool: 's2@ceph#all' });
  });

  it('is refused for unknown types and the same type', () => {
    const { named, operations } = setUp();
    expect(() => operations.retype(named('free'), 'odd', 'never')).toThrow('odd could not be found');
    expect(() => operations.retype(named('free'), 'plain', 'never')).toThrow('has to be different');
  });
});
