import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { assertWellBehaved, createTestWorld, runStrategy, testUuid } from '#libs/plugin-kit/testing';
import { ModelMissingError } from '../shared/report/errors.ts';
import { createTestStorage, type TestStorage } from '../testing/test-storage.ts';
import { storageCapacityBalanceStrategy } from './strategy.ts';

/** The pools and volumes of the reference. */
const reference: TestStorage = {
  pools: [
    { name: 'h@pool1#pool1', total: 100, free: 60, allocated: 90 },
    { name: 'h@pool2#pool2', total: 100, free: 20, allocated: 80 },
    { name: 'h@local#local_vstorage', total: 100, free: 1, allocated: 99 },
  ],
  types: { type1: { volume_backend_name: 'pool1' }, type2: { volume_backend_name: 'pool2' } },
  volumes: [
    { name: 'v1', pool: 'h@pool2#pool2', size: 4, type: 'type2' },
    { name: 'v2', pool: 'h@pool2#pool2', size: 10, status: 'in-use' },
    { name: 'v3', pool: 'h@pool2#pool2', size: 4, type: 'type2', status: 'in-use', bootable: true },
    { name: 'v4', pool: 'h@pool2#pool2', size: 10, status: 'error' },
    { name: 'v5', pool: 'h@pool2#pool2', size: 15, status: 'in-use', snapshots: true },
  ],
};

const snapshot = createTestWorld({
  hosts: [{ hostname: 'a' }],
  instances: [
    { name: 'runs', host: 'a' },
    { name: 'stopped', host: 'a', state: 'stopped' },
  ],
});

async function run(storage: TestStorage, percent: number, more: JsonObject = {}, failed: string[] = []) {
  const { actions, indicators, report } = await runStrategy(storageCapacityBalanceStrategy, {
    snapshot,
    storage: createTestStorage(storage),
    failedMigrations: createTestStorage(storage).volumes.flatMap(({ uuid, name }) =>
      failed.includes(name) ? uuid : [],
    ),
    parameters: { volume_threshold: percent, volume_order: 'watcher', ...more },
  });
  const made = actions.map(
    ({ inputParameters: { migration_type, resource_name, destination_node, destination_type } }) =>
      [migration_type, resource_name, destination_node ?? destination_type].join(' '),
  );
  return { actions, made, indicators, report };
}

describe('storage_capacity_balance', () => {
  it('leaves a volume alone whose migration failed lately', async () => {
    const { made, report } = await run(reference, 45, {}, ['v1']);
    expect(made).toEqual(['retype v3 type1']);
    expect(report.blocked).toContainEqual({ constraint: 'migration-failed', count: 1, examples: ['v1'] });
  });

  // Watcher finds the same and then fails: its planner does not know the action.
  it.each<[number, string[]]>([
    [45, ['retype v1 type1']],
    [50, ['retype v1 type1', 'retype v3 type1']],
    [60, ['retype v1 type1', 'retype v3 type1', 'migrate v2 h@pool1#pool1']],
    [85, []],
    [30, []],
  ])('the reference at %i %%', async (percent, expected) => {
    expect((await run(reference, percent)).made).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['by their name', ['h@pool1#pool1', 'h@local#local_vstorage']],
    ['by the part after the #', ['pool1', 'local_vstorage']],
  ])('leaves the pools of ex_pools alone, %s', async (_, pools) => {
    const { made, report } = await run(reference, 60, { ex_pools: pools });
    expect(made).toEqual([]);
    const blocked = report.blocked.find(({ constraint }) => constraint === 'pool-left-alone');
    expect(blocked?.examples.toSorted()).toEqual(['h@local#local_vstorage', 'h@pool1#pool1']);
  });

  it('stops as soon as the pool is below the threshold', async () => {
    const { made, report } = await run(reference, 78);
    expect(made).toEqual(['retype v1 type1']);
    expect(report.notes).toHaveLength(1);
  });

  it('reports the reason, the remaining volumes, and the change of the spread', async () => {
    const { actions, report, indicators } = await run(reference, 50);
    expect(actions[0]?.reason).toMatchObject({
      rule: 'pool-too-full-retype',
      summary:
        'h@pool2#pool2 is used to 80 % (threshold 50 %); v1 of 4 GB becomes type1 and so moves to h@pool1#pool1, ' +
        'which is then used to 44 %.',
    });
    const blocked = Object.fromEntries(report.blocked.map(({ constraint, examples }) => [constraint, examples]));
    expect(blocked).toEqual({
      'pool-left-alone': ['h@local#local_vstorage'],
      'pool-threshold': ['v2'],
      'volume-status': ['v4'],
      'volume-snapshots': ['v5'],
    });
    // v4 and v5 are held where they are. V2 could go if there were room.
    expect(report.volumes).toEqual({ considered: 5, eligible: 3 });
    expect(report.notes[1]).toBe('h@pool2#pool2 stays at 72 %, since nothing more can go');
    expect(indicators).toMatchObject({ instance_migrations_count: 0, instances_count: 0 });
    expect(indicators.standard_deviation_after_audit).toBeLessThan(
      indicators.standard_deviation_before_audit as number,
    );
  });

  it('says why the spread grows where a pool above the threshold is emptier than the average', async () => {
    const storage: TestStorage = {
      pools: [
        ...[1, 2, 3].map((row) => ({ name: `h@a#full-${row}`, total: 1000, free: 150, allocated: 850 })),
        { name: 'h@a#over', total: 1000, free: 488, allocated: 512 },
        { name: 'h@a#large', total: 2000, free: 1265, allocated: 735 },
      ],
      volumes: [{ name: 'v', pool: 'h@a#over', size: 50 }],
    };
    const { made, report, indicators } = await run(storage, 50);
    expect(made).toEqual(['migrate v h@a#large']);
    const { standard_deviation_before_audit: before, standard_deviation_after_audit: after } = indicators;
    expect(after).toBeGreaterThan(before as number);
    expect(report.notes.at(-1)).toBe(
      'the standard deviation of the used share rises from 20.61 % to 20.83 %: pools at or above 50 % are relieved all the same',
    );
    const evener = await run(reference, 50);
    expect(evener.report.notes.join()).not.toContain('rises');
  });

  it.each<[string, number[], number, string[]]>([
    ['one that is enough, not many small ones', [...Array<number>(34).fill(3), 110], 100, ['34']],
    ['the smallest of those that are enough', [200, 120, 110, 50], 100, ['2']],
    ['the largest where none is enough, and then what is enough', [60, 70, 20, 35], 100, ['1', '3']],
  ])('fewest_moves takes %s', async (_, sizes, excess, expected) => {
    const parameters = { volume_order: 'fewest_moves' };
    const storage: TestStorage = {
      pools: [
        { name: 'h@a#full', total: 1000, free: 200 - excess + 1, allocated: 800 },
        { name: 'h@a#free', total: 1000, free: 900, allocated: 100 },
      ],
      types: {},
      volumes: sizes.map((size, row) => ({ name: String(row), pool: 'h@a#full', size })),
    };
    const { made } = await run(storage, 80, parameters);
    expect(made).toEqual(expected.map((name) => `migrate ${name} h@a#free`));
    const watchers = await run(storage, 80, {});
    expect(watchers.made.length).toBeGreaterThanOrEqual(made.length);
  });

  const twoPools = (volume: object): TestStorage => ({
    pools: [
      { name: 'h@a#1', total: 100, free: 10, allocated: 90 },
      { name: 'h@a#2', total: 100, free: 90, allocated: 10 },
    ],
    types: { plain: {}, gold: { volume_backend_name: 'b', qos: 'gold' }, silver: { volume_backend_name: 'a' } },
    volumes: [{ name: 'v', pool: 'h@a#1', size: 20, ...volume }],
  });

  it.each<[string, object, string[]]>([
    ['a volume whose type both pools serve migrates', { type: 'silver' }, ['migrate v h@a#2']],
    ['one whose type loses a promise does not change it', { type: 'gold' }, []],
    ['one of a running server', { servers: [testUuid('runs')] }, ['migrate v h@a#2']],
    ['one of a stopped server', { servers: [testUuid('stopped')] }, []],
    ['one that is being migrated', { migrationStatus: 'migrating' }, []],
    ['one attached twice', { servers: [testUuid('runs'), 'other'] }, []],
  ])('%s', async (_, volume, expected) => {
    expect((await run(twoPools(volume), 80)).made).toEqual(expected);
  });

  it('pools without a known size do no harm, and the emptiest pool that stays below is taken', async () => {
    const { made, report } = await run(
      {
        pools: [
          { name: 'h@a#full', total: 100, free: 5, allocated: 95 },
          { name: 'h@a#some', total: 100, free: 50, allocated: 50 },
          { name: 'h@a#empty', total: 100, free: 80, allocated: 20 },
          { name: 'h@a#unknown', total: null, free: null },
        ],
        volumes: ['v1', 'v2', 'v3'].map((name) => ({ name, pool: 'h@a#full', size: 30 })),
      },
      80,
    );
    expect(made).toEqual(['migrate v1 h@a#empty']);
    expect(report.blocked).toContainEqual({ constraint: 'pool-without-size', count: 1, examples: ['h@a#unknown'] });
  });

  it('never fills a pool to the threshold itself, where the next audit would relieve it', async () => {
    const storage: TestStorage = {
      pools: [
        { name: 'h@a#full', total: 1000, free: 91, allocated: 909 },
        { name: 'h@a#takes', total: 1000, free: 275, allocated: 725 },
      ],
      volumes: [75, 74].map((size) => ({ name: `v${size}`, pool: 'h@a#full', size })),
    };
    const { made } = await run(storage, 80, { volume_order: 'fewest_moves' });
    expect(made).toEqual(['migrate v74 h@a#takes']);
  });

  it('never proposes a pool whose promises would be too many, or whose service is down', async () => {
    const storage = twoPools({});
    const promised = { ...storage, pools: [storage.pools[0]!, { ...storage.pools[1]!, allocated: 195 }] };
    expect((await run(promised, 80)).report.blocked).toContainEqual({
      constraint: 'pool-oversubscription',
      count: 1,
      examples: ['v'],
    });
    expect((await run({ ...storage, down: ['h@a'] }, 80)).report.emptyBecause).toContain('no volume of a pool');
  });

  it('says why there is nothing to do, needs its model, and keeps the promises of a strategy', async () => {
    expect((await run(reference, 85)).report.emptyBecause).toBe('no storage pool is used to 85 % or more');
    expect((await run(reference, 30)).report.emptyBecause).toBe('no storage pool is used to less than 30 %');
    await expect(runStrategy(storageCapacityBalanceStrategy, { snapshot })).rejects.toThrow(ModelMissingError);
    await assertWellBehaved(storageCapacityBalanceStrategy, { snapshot, storage: createTestStorage(reference) });
  });

  it('relieves 25 full pools with 20,000 volumes', async () => {
    const pools = Array.from({ length: 50 }, (_, index) => ({
      name: `h${index}@a#p`,
      total: 100_000,
      free: index < 25 ? 1000 : 90_000,
      allocated: 0,
    }));
    const volumes = Array.from({ length: 20_000 }, (_, index) => ({
      name: `v${index}`,
      pool: `h${index % 25}@a#p`,
      size: 20,
    }));
    expect((await run({ pools, volumes }, 80)).made.length).toBeGreaterThan(10_000);
  });
});
