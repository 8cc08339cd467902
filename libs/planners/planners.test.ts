import { describe, expect, it } from 'vitest';
import { migrationsAtOnce, type PlanLimits, type PlannerPlugin, type ProposedAction } from '#libs/plugin-kit';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { plannerCatalogue } from './catalogue.ts';
import { nodeResourceConsolidationPlanner } from './node-resource-consolidation.ts';
import { resourcePlanner } from './resource/planner.ts';
import { weightPlanner } from './weight.ts';
import { parseWeighting, UnsupportedActionTypeError } from './weighting.ts';
import { workloadStabilizationPlanner } from './workload-stabilization.ts';

const snapshot = createTestWorld({ hosts: [{ hostname: 'host' }] });
const limits = { parallelPerSourceHost: 1, parallelPerDestinationHost: 1, parallelMigrations: 10 };
const reason = { rule: 'test', summary: 'test', values: [], rejected: [] };

function action(actionType: string, inputParameters: ProposedAction['inputParameters'] = {}): ProposedAction {
  return { actionType, inputParameters, reason };
}

function migrate(source: string, instance = source): ProposedAction {
  return action('migrate', { source_node: source, resource_id: instance });
}

/** Positions in the plan of the parents of each action. */
function edges(
  planner: PlannerPlugin,
  actions: ProposedAction[],
  weighting?: PlanLimits['weighting'],
  cloud = snapshot,
): [type: string, parents: number[]][] {
  let next = 0;
  const given = { ...limits, weighting };
  const plan = planner.plan(actions, { snapshot: cloud, limits: given, newUuid: () => `uuid-${next++}` });
  const position = new Map(plan.map(({ uuid }, index) => [uuid, index]));
  return plan.map(({ actionType, parents }) => [actionType, parents.map((parent) => position.get(parent) as number)]);
}

/** Effect of the configuration keys on the two lists. */
function configured(weights: string[], parallelization: string[] = []) {
  return parseWeighting({
    weights: { key: 'WEIGHTS', entries: weights },
    parallelization: { key: 'PARALLELIZATION', entries: parallelization },
  });
}

const onSharedStorage = createTestWorld({
  hosts: ['a', 'b', 'c', 'd'].map((hostname) => ({ hostname })),
  instances: ['i', 'j', 'k'].map((name, row) => ({ name, host: 'abc'[row] as string, disk: 0 })),
});
/** Storage with room for a second copy of two of three instances. */
const narrow = {
  ...onSharedStorage,
  sharedDisks: [{ uuid: 'nfs', free: 50, largest: 500 }],
  hostInfo: onSharedStorage.hostInfo.map((info) => ({ ...info, sharedDisk: 0 })),
  instanceInfo: onSharedStorage.instanceInfo.map((info) => ({ ...info, sharedDiskGb: 25 })),
};
/** Instances that a strict rule keeps together. */
const bound = {
  ...onSharedStorage,
  rules: [
    {
      ...{ name: 'bound', kind: 'keep_together' as const, isStrict: true, maxPerHost: 1, hosts: null },
      instances: Int32Array.of(0, 1, 2),
    },
  ],
};
const fromEach = ['i', 'j', 'k'].map((name, row) => migrate('abc'[row] as string, testUuid(name)));

describe('migrations that are not possible side by side', () => {
  it.each([
    ['storage that hosts share', weightPlanner, narrow, [[], [], [0, 1]]],
    ['instances that stay together', weightPlanner, bound, [[], [0], [1]]],
    ['storage that hosts share', nodeResourceConsolidationPlanner, narrow, [[], [], [0]]],
    ['instances that stay together', nodeResourceConsolidationPlanner, bound, [[], [0], [1]]],
    ['storage that hosts share', resourcePlanner, narrow, [[], [], [0]]],
  ])('wait for each other: %s', (_, planner, cloud, expected) => {
    const plan = edges(planner, fromEach, configured([], ['migrate:3']), cloud);
    expect(plan.map(([, parents]) => parents)).toEqual(expected);
  });
});

describe('members that stay together move in an admitted order, regardless of the strategy', () => {
  const cloud = createTestWorld({
    hosts: ['a', 'b', 'c', 'd'].map((hostname) => ({ hostname, vcpus: 2 })),
    instances: [
      ...['x', 'y'].map((name) => ({ name, host: 'a', vcpus: 1 })),
      { name: 'z', host: 'b', vcpus: 1 },
      { name: 'full', host: 'c', vcpus: 2 },
    ],
  });
  const ruled = { ...cloud, rules: bound.rules };
  const grouped = {
    ...cloud,
    groups: [{ uuid: 'group', policy: 'affinity' as const, maxServerPerHost: 1 }],
    instances: { ...cloud.instances, group: Int32Array.of(0, 0, 0, -1) },
  };
  const move = (name: string, from: string, to: string) =>
    action('migrate', { resource_id: testUuid(name), resource_name: name, source_node: from, destination_node: to });

  function planned(planner: PlannerPlugin, snapshot: typeof ruled | typeof grouped, actions: ProposedAction[]) {
    let next = 0;
    const plan = planner.plan(actions, { snapshot, limits, newUuid: () => String(next++) });
    const names = new Map(plan.map(({ uuid, inputParameters }) => [uuid, inputParameters.resource_name]));
    return plan.map(({ uuid, parents }) => [names.get(uuid), parents.map((parent) => names.get(parent))]);
  }

  it.each([resourcePlanner, weightPlanner, nodeResourceConsolidationPlanner])('$name, by a rule', (planner) => {
    // x leaves y only after that host has moved its instance to z.
    expect(planned(planner, ruled, [move('x', 'a', 'd'), move('y', 'a', 'b')])).toEqual([
      ['y', []],
      ['x', ['y']],
    ]);
  });

  it.each([resourcePlanner, weightPlanner, nodeResourceConsolidationPlanner])('$name, by a group', (planner) => {
    // x goes to b while z is there.
    expect(planned(planner, grouped, [move('z', 'b', 'a'), move('x', 'a', 'b')])).toEqual([
      ['x', []],
      ['z', ['x']],
    ]);
  });

  it('resource, where the host is still full too', () => {
    expect(planned(resourcePlanner, ruled, [move('full', 'c', 'd'), move('x', 'a', 'c'), move('y', 'a', 'b')])).toEqual(
      [
        ['full', []],
        ['y', []],
        ['x', ['full', 'y']],
      ],
    );
  });
});

describe('planner catalogue', () => {
  it('has the default and the planners of Watcher', () => {
    expect(plannerCatalogue.map(({ name }) => name)).toEqual([
      'node_resource_consolidation',
      'resource',
      'weight',
      'workload_stabilization',
    ]);
  });

  it('plans nothing from nothing', () => {
    for (const planner of plannerCatalogue) expect(edges(planner, [])).toEqual([]);
  });
});

describe('weight planner', () => {
  it.each<[string, ProposedAction[], [string, number[]][]]>([
    [
      'nop before migrate',
      [migrate('a'), action('nop')],
      [
        ['nop', []],
        ['migrate', [0]],
      ],
    ],
    [
      'resize after migrate',
      [migrate('a'), action('resize')],
      [
        ['migrate', []],
        ['resize', [0]],
      ],
    ],
    [
      'layers of two',
      [migrate('a'), migrate('b'), migrate('c'), action('resize')],
      [
        ['migrate', []],
        ['migrate', []],
        ['migrate', [0, 1]],
        ['resize', [2]],
      ],
    ],
    [
      'five migrations and two resizes',
      [...'abcde'].map((host) => migrate(host)).concat(action('resize'), action('resize')),
      [
        ['migrate', []],
        ['migrate', []],
        ['migrate', [0, 1]],
        ['migrate', [0, 1]],
        ['migrate', [2, 3]],
        ['resize', [4]],
        ['resize', [4]],
      ],
    ],
    [
      'one service change at a time, then stops, then migrations',
      [action('stop'), migrate('a'), action('change_nova_service_state'), action('change_nova_service_state')],
      [
        ['change_nova_service_state', []],
        ['change_nova_service_state', [0]],
        ['stop', [1]],
        ['migrate', [2]],
      ],
    ],
  ])('%s', (_, actions, expected) => {
    expect(edges(weightPlanner, actions)).toEqual(expected);
  });

  it.each([
    [1, [[], [0], [1], [2]]],
    [3, [[], [], [], [0, 1, 2]]],
  ])('honours a parallelization of %i', (parallelization, expected) => {
    const actions = [migrate('a'), migrate('b'), migrate('c'), action('resize')];
    const plan = edges(weightPlanner, actions, configured([], [`migrate:${parallelization}`]));
    expect(plan.map(([, parents]) => parents)).toEqual(expected);
  });

  it('compares configured weights as numbers; other types keep theirs, and types from outside may have one', () => {
    const weighting = configured(['nop:100', 'migrate:30', 'stop: 9', 'dance:9.5'], ['dance:2']);
    const actions = [action('stop'), action('dance'), action('resize'), migrate('a'), action('dance'), action('nop')];
    expect(edges(weightPlanner, actions, weighting)).toEqual([
      ['nop', []],
      ['migrate', [0]],
      ['resize', [1]],
      ['dance', [2]],
      ['dance', [2]],
      ['stop', [3, 4]],
    ]);
  });

  it('lets types of one weight share the smaller parallelization, whichever comes first', () => {
    const weighting = configured(['stop:30'], ['migrate:5', 'stop:1']);
    for (const actions of [
      [action('stop'), migrate('a'), migrate('b')],
      [migrate('a'), action('stop'), migrate('b')],
    ]) {
      expect(edges(weightPlanner, actions, weighting).map(([, parents]) => parents)).toEqual([[], [0], [1]]);
    }
  });

  it.each<[string, string[], string[], RegExp]>([
    ['text as weight', ['migrate:heavy'], [], /WEIGHTS must list <action type>:<a number>, not "migrate:heavy"/],
    ['no weight', ['migrate'], [], /not "migrate"/],
    ['an empty weight', ['migrate:'], [], /not "migrate:"/],
    ['a type twice', ['migrate:1', 'migrate:2'], [], /WEIGHTS names migrate twice/],
    ['nothing at once', [], ['migrate:0'], /PARALLELIZATION must list .* at least 1>, not "migrate:0"/],
    ['one and a half at once', [], ['migrate:1.5'], /not "migrate:1.5"/],
    ['a type without weight', [], ['dance:2'], /PARALLELIZATION names dance, which has no weight in WEIGHTS/],
  ])('refuses a configuration with %s', (_, weights, parallelization, reason) => {
    expect(() => configured(weights, parallelization)).toThrow(reason);
  });

  it('refuses a type without weight', () => {
    expect(() => edges(weightPlanner, [action('dance')])).toThrow(UnsupportedActionTypeError);
  });
});

describe('workload_stabilization planner', () => {
  it('lets migrations of several hosts start at once and a resize wait for its instance', () => {
    expect(
      edges(workloadStabilizationPlanner, [
        action('resize', { resource_id: 'x' }),
        migrate('a', 'x'),
        migrate('b', 'y'),
        action('nop'),
      ]),
    ).toEqual([
      ['nop', []],
      ['migrate', []],
      ['migrate', []],
      ['resize', [1]],
    ]);
  });

  it('refuses a type without weight', () => {
    expect(() => edges(workloadStabilizationPlanner, [action('stop')])).toThrow('no rule for actions of type stop');
  });
});

it.each([
  [0, 10, 8],
  [0, 200, 8],
  [0, 800, 32],
  [3, 800, 3],
])('with a limit of %i a plan on %i hosts has %i migrations at once', (given, hosts, atOnce) => {
  expect(migrationsAtOnce(given, hosts)).toBe(atOnce);
});

describe('node_resource_consolidation planner', () => {
  const change = (host: string, state: string) =>
    action('change_nova_service_state', { state, resource_name: host, resource_id: host });

  it('enables a host before instances go to it, when the plan has not disabled it', () => {
    const to = (host: string) => action('migrate', { resource_id: 'i', source_node: 'host1', destination_node: host });
    expect(edges(nodeResourceConsolidationPlanner, [to('asleep'), change('asleep', 'enabled')])).toEqual([
      ['change_nova_service_state', []],
      ['migrate', [0]],
    ]);
  });

  it('disables, chains the migrations of a source, and enables at the end', () => {
    expect(
      edges(nodeResourceConsolidationPlanner, [
        change('a', 'disabled'),
        change('b', 'disabled'),
        migrate('host1', 'i1'),
        migrate('host2', 'i2'),
        migrate('host1', 'i3'),
        change('a', 'enabled'),
        change('b', 'enabled'),
      ]),
    ).toEqual([
      ['change_nova_service_state', []],
      ['change_nova_service_state', []],
      ['migrate', [0, 1]],
      ['migrate', [0, 1]],
      ['migrate', [2]],
      ['change_nova_service_state', [4, 3]],
      ['change_nova_service_state', [4, 3]],
    ]);
  });

  it('refuses other types', () => {
    expect(() => edges(nodeResourceConsolidationPlanner, [action('nop')])).toThrow(UnsupportedActionTypeError);
  });
});
