import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWhatIf, holdBack } from '#libs/cluster-model';
import {
  applyActions,
  assertWellBehaved,
  createTestWorld,
  movesOf,
  runStrategy,
  type TestInstance,
  type TestWorld,
  testUuid,
} from '#libs/plugin-kit/testing';
import { createBlockedTally } from '../shared/report/blocked-tally.ts';
import { packedAsInWatcher } from '../testing/watcher-scenarios.ts';
import { groupHosts } from './group-hosts.ts';
import { nodeResourceConsolidationStrategy } from './strategy.ts';

const host = (hostname: string, changes = {}) => ({ hostname, vcpus: 40, memory: 132, disk: 250, ...changes });
const vm = (name: string, on: string, vcpus: number, changes: Partial<TestInstance> = {}): TestInstance => ({
  name,
  host: on,
  vcpus,
  memory: 20,
  disk: 20,
  ...changes,
});
const disabled = { status: 'disabled' as const };

const scenario10: TestWorld = {
  hosts: [0, 1, 2, 3, 4, 5, 6, 7].map((index) => host(`h${index}`, index > 5 ? disabled : {})),
  instances: [
    vm('I0', 'h0', 10),
    vm('I1', 'h0', 15),
    vm('I2', 'h1', 14),
    vm('I3', 'h2', 10),
    vm('I4', 'h2', 10),
    vm('I5', 'h2', 10),
    vm('I6', 'h3', 8),
    vm('I7', 'h4', 10),
    vm('I8', 'h7', 12),
  ],
};

function group(world: TestWorld, failed: string[] = []) {
  const model = createWhatIf(holdBack(createTestWorld(world), failed.map(testUuid)));
  const rows = model.snapshot.hostInfo.map((_, row) => row);
  const groups = groupHosts(model, rows, {
    blocked: createBlockedTally(),
    parameters: { ...packedAsInWatcher, host_order: 'watcher' },
    use: undefined,
    departed: new Set(),
    signal: new AbortController().signal,
  });
  const names = (list: number[]) => list.map((row) => model.snapshot.hostInfo[row]?.hostname);
  return {
    free: names(groups.free),
    sources: names(groups.sources.map((source) => source.host)),
    destinations: names(groups.destinations),
  };
}

async function steps(world: TestWorld, choice: string, failedMigrations: string[] = []) {
  const snapshot = createTestWorld(world);
  const { actions, indicators, report } = await runStrategy(nodeResourceConsolidationStrategy, {
    snapshot,
    parameters: { host_choice: choice, ...packedAsInWatcher, host_order: 'watcher' },
    failedMigrations,
  });
  const list = actions.map(({ actionType, inputParameters: input }) =>
    actionType === 'migrate'
      ? `${input.resource_name} ${input.source_node}>${input.destination_node ?? '?'}`
      : `${input.state} ${input.resource_name}`,
  );
  return { list, indicators, report, actions };
}

describe('node_resource_consolidation, grouping', () => {
  it.each([
    ['S10', [], ['h5', 'h6'], ['h3', 'h4', 'h7'], ['h2', 'h0', 'h1']],
    ['S10 after a failure of I6 on h3', ['I6'], ['h5', 'h6'], ['h4', 'h7'], ['h3', 'h2', 'h0']],
  ])('%s', (_, failed, free, sources, destinations) => {
    const groups = group(scenario10, failed);
    expect(groups.free).toEqual(free);
    expect(groups.sources).toEqual(sources);
    expect(groups.destinations.slice(0, 3)).toEqual(destinations);
  });

  it('packs all servers that fit (Watcher skips every other one)', () => {
    const world: TestWorld = {
      hosts: [host('small'), host('big')],
      instances: [...[1, 2, 3, 4].map((index) => vm(`s${index}`, 'small', 2)), vm('b', 'big', 20)],
    };
    expect(group(world)).toMatchObject({ sources: ['small'], destinations: ['big'] });
  });

  it('a destination takes from several sources (in Watcher from one)', () => {
    const world: TestWorld = {
      hosts: ['a', 'b', 'c'].map((name) => host(name)),
      instances: [vm('x', 'a', 2), vm('y', 'b', 3), vm('z', 'c', 4)],
    };
    expect(group(world)).toMatchObject({ sources: ['a', 'b'], destinations: ['c'] });
  });
});

describe('node_resource_consolidation', () => {
  it('disables no free host that is the last of its aggregate, since the applier would refuse it', async () => {
    const snapshot = createTestWorld({
      aggregates: [{ name: 'rack', metadata: { rack: '2' } }],
      hosts: [host('empty', { aggregates: ['rack'] }), host('spare'), host('less'), host('more'), host('most')],
      instances: [vm('I0', 'less', 2), vm('I1', 'more', 8), vm('I2', 'most', 12)],
    });
    const parameters = { ...packedAsInWatcher, host_choice: 'auto' };
    const { actions } = await runStrategy(nodeResourceConsolidationStrategy, { snapshot, parameters });
    const disabled = actions.flatMap(({ actionType, inputParameters: { state, resource_name: name } }) =>
      actionType === 'change_nova_service_state' && state === 'disabled' ? name : [],
    );
    expect(disabled).toContain('spare');
    expect(disabled).not.toContain('empty');
  });

  it('leaves free hosts enabled for the failure reserve, and names destinations', async () => {
    const snapshot = createTestWorld({
      hosts: ['free', 'less', 'more', 'most'].map((name) => host(name)),
      instances: [vm('x', 'less', 2), vm('y', 'more', 6), vm('z', 'most', 7)],
    });
    const parameters = { ...packedAsInWatcher, failure_reserve: 1 };
    const { actions } = await runStrategy(nodeResourceConsolidationStrategy, { snapshot, parameters });
    const named = (key: string, state?: string) =>
      actions.flatMap(({ inputParameters: input }) => (input.state === state ? (input[key] ?? []) : []));
    expect(named('resource_name', 'disabled')).not.toContain('free');
    expect(named('source_node')).toEqual(['less']);
    expect(named('destination_node')).toEqual(['most']);
  });

  it('S10, specify: names the destination with the fewest free vcpus that suffice', async () => {
    const { list, indicators } = await steps(scenario10, 'specify');
    expect(list).toEqual(['I6 h3>h2', 'I7 h4>h0', 'I8 h7>h1']);
    expect(indicators).toEqual({
      compute_nodes_count: 8,
      released_compute_nodes_count: 3,
      instance_migrations_count: 3,
    });
  });

  it.each([
    [1, ['I6 h3>h2', 'I7 h4>h0']],
    [3, []],
  ])('S10, specify, with a reserve of %i hosts', async (reserve, expected) => {
    const parameters = { host_choice: 'specify', reserve_hosts: reserve, ...packedAsInWatcher };
    const snapshot = createTestWorld(scenario10);
    const { actions, report } = await runStrategy(nodeResourceConsolidationStrategy, { snapshot, parameters });
    expect(
      actions.map(
        ({ inputParameters: input }) => `${input.resource_name} ${input.source_node}>${input.destination_node}`,
      ),
    ).toEqual(expected);
    expect(report.emptyBecause?.includes('reserve') ?? false).toBe(expected.length === 0);
  });

  it.each([
    [{}, true, 'Nova does not know the reserve for failures and the target utilization'],
    [{ ...packedAsInWatcher, failure_reserve: 1 }, true, 'Nova does not know the reserve for failures'],
    [packedAsInWatcher, false, 'where Nova chooses'],
  ])('auto with %j: destinations are named: %s', async (parameters, areNamed, why) => {
    const snapshot = createTestWorld({
      hosts: ['h0', 'h1', 'h2'].map((name) => host(name)),
      instances: [vm('x', 'h0', 2), vm('y', 'h1', 6), vm('z', 'h2', 4)],
    });
    const { actions } = await runStrategy(nodeResourceConsolidationStrategy, { snapshot, parameters });
    const [move, ...more] = actions.filter(({ actionType }) => actionType === 'migrate');
    expect(move?.reason.summary).toContain(why);
    for (const { inputParameters } of [move, ...more].flatMap((one) => one ?? []))
      expect(inputParameters.destination_node !== undefined).toBe(areNamed);
  });

  it('S10, auto, after a failed migration of I6: h3 stays', async () => {
    const { list, report } = await steps(scenario10, 'auto', [testUuid('I6')]);
    expect(list).toEqual(['disabled h5', 'disabled h4', 'I7 h4>?', 'I8 h7>?', 'enabled h5', 'enabled h4']);
    expect(report.blocked).toContainEqual({ constraint: 'migration-failed', count: 1, examples: ['h3'] });
  });

  it('moves most vcpus first, and only to where there is room', async () => {
    const world: TestWorld = {
      hosts: [host('h0'), host('h1'), host('h2')],
      instances: [vm('I0', 'h0', 2), vm('I1', 'h0', 3), vm('I2', 'h1', 35), vm('I3', 'h2', 37)],
    };
    expect((await steps(world, 'specify')).list).toEqual(['I1 h0>h2', 'I0 h0>h1']);
  });

  it.each([
    ['does not fit elsewhere', {}, 30, 'vcpu'],
    ['has an excluded instance', { excluded: true }, 2, 'instance-excluded'],
    ['has a locked instance', { locked: true }, 2, 'instance-locked'],
  ])('a host that %s is not a source (in Watcher it counts as released)', async (_, changes, vcpus, constraint) => {
    const world: TestWorld = {
      hosts: [host('a'), host('b')],
      instances: [vm('x', 'a', 3, changes), vm('y', 'b', 9), vm('z', 'b', vcpus)],
    };
    const { list, report } = await steps(world, 'specify');
    if (constraint === 'vcpu') expect(list).toEqual([]);
    else expect(report.blocked).toContainEqual({ constraint, count: 1, examples: ['a'] });
    expect(list).not.toContain('x a>b');
  });

  it('leaves hosts that are down alone and says so (Watcher drains them)', async () => {
    const world: TestWorld = {
      hosts: [host('a', { state: 'down' }), host('b')],
      instances: [vm('x', 'a', 2), vm('y', 'b', 9)],
    };
    const { list, report } = await steps(world, 'auto');
    expect(list).toEqual([]);
    expect(report.blocked).toContainEqual({ constraint: 'host-down', count: 1, examples: ['a'] });
    expect(report.emptyBecause).toContain('no compute node can be emptied');
  });

  it('gives reasons', async () => {
    const { actions } = await steps(scenario10, 'specify');
    expect(actions[0]?.reason.summary).toBe(
      'I6 leaves h3, whose instances (1) all fit elsewhere, and goes to h2: h2 has 10 free vcpus, the least that suffice.',
    );
    expect(actions[0]?.reason.rejected).toEqual([{ alternative: 'h0', because: 'looser-fit', others: 1 }]);
  });

  it('keeps the promises of a strategy', async () => {
    for (const host_choice of ['auto', 'specify'])
      await assertWellBehaved(nodeResourceConsolidationStrategy, {
        snapshot: createTestWorld(scenario10),
        parameters: { host_choice, ...packedAsInWatcher },
      });
  });

  it('proposes only moves that Nova accepts, and empties its sources, on random worlds', async () => {
    const worlds = fc.array(
      fc.record({ vcpus: fc.integer({ min: 1, max: 6 }), on: fc.nat({ max: 5 }), locked: fc.boolean() }),
      { maxLength: 20 },
    );
    const packings = fc.constantFrom({}, packedAsInWatcher, { ...packedAsInWatcher, host_order: 'watcher' });
    await fc.assert(
      fc.asyncProperty(worlds, packings, async (instances, packed) => {
        const snapshot = createTestWorld({
          hosts: [0, 1, 2, 3, 4, 5].map((index) => ({ hostname: `h${index}`, vcpus: 8 + index, vcpusRatio: 1.5 })),
          instances: instances.map(({ vcpus, on, locked }, index) => ({
            name: `i${index}`,
            vcpus,
            host: `h${on}`,
            locked: locked && index % 4 === 0,
          })),
        });
        const parameters = { host_choice: 'specify', ...packed };
        const result = await runStrategy(nodeResourceConsolidationStrategy, { snapshot, parameters });
        const after = applyActions(snapshot, result.actions);
        const sources = new Set(result.actions.map(({ inputParameters }) => String(inputParameters.source_node)));
        expect(sources.size).toBe(result.indicators.released_compute_nodes_count);
        for (const name of sources) expect(after.instancesOn(after.hostRow(name) ?? -1)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

it('names the destinations when an emptied host stays enabled for its failure domain', async () => {
  const snapshot = createTestWorld({
    hosts: [
      { hostname: 'a', zone: 'z1' },
      { hostname: 'b', zone: 'z2' },
      { hostname: 'c', zone: 'z2' },
    ],
    instances: Object.entries({ a: 1, b: 2, c: 5 }).flatMap(([host, count]) =>
      Array.from({ length: count }, (_, row) => ({ name: `${host}${row}`, host })),
    ),
  });
  const { actions, indicators } = await runStrategy(nodeResourceConsolidationStrategy, {
    snapshot,
    parameters: { failure_reserve: 0, target_utilization: { vcpus: 100, memory: 100, disk: 100 } },
  });

  // Nova could move an instance of `b` to `a`.
  expect(movesOf(actions).map(({ to }) => to)).toEqual(['c', 'c', 'c']);
  expect(indicators).toMatchObject({ released_compute_nodes_count: 2 });
});
