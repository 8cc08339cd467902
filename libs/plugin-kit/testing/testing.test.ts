import { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { actionCatalogue } from '#libs/actions';
import { hostFlag, instanceFlag, instanceStates } from '#libs/cluster-model';
import type { MetricName } from '#libs/domain';
import type { GoalPlugin } from '../goal.ts';
import type { PlannerPlugin } from '../planner.ts';
import type { VigilPlugin } from '../plugin.ts';
import type { ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '../strategy.ts';
import { applyActions, assertWellBehaved, createTestMetrics, createTestWorld, runStrategy, testUuid } from './index.ts';

const world = {
  hosts: [
    { hostname: 'a', vcpus: 8, aggregates: ['fast'], zone: 'z1' },
    { hostname: 'b', vcpus: 4, status: 'disabled' as const, zone: 'z2' },
    { hostname: 'c', state: 'down' as const, used: { vcpus: 11 } },
  ],
  instances: [
    { name: 'x', host: 'a', vcpus: 3, memory: 2048, group: 'apart' },
    { name: 'y', host: 'a', vcpus: 6, locked: true, busy: true, state: 'stopped' as const },
    { name: 'z', bootedFromVolume: true },
  ],
  groups: [{ name: 'apart', policy: 'anti-affinity' as const }],
};

function migrate(name: string, from: string, to: string): ProposedAction {
  const inputParameters = {
    migration_type: 'live',
    resource_id: testUuid(name),
    source_node: from,
    destination_node: to,
  };
  return {
    actionType: 'migrate',
    inputParameters,
    reason: { rule: 'test', summary: 'Because.', values: [], rejected: [] },
  };
}

function strategyThat(run: StrategyPlugin['run']): StrategyPlugin {
  return {
    manifest: {
      kind: 'strategy',
      name: 'under_test',
      displayName: 'Under test',
      goal: 'dummy',
      description: 'For tests of the kit.',
      parameters: { type: 'object', properties: { n: { type: 'integer', default: 4 } } },
      metrics: [],
      models: ['compute'],
      planner: 'weight',
      needsCompleteModel: false,
    },
    run,
  };
}

function resultOf(changes: Partial<StrategyResult> = {}): StrategyResult {
  const none = { considered: 0, eligible: 0 };
  const report = { hosts: none, instances: none, blocked: [], emptyBecause: 'nothing to do', notes: [] };
  return { actions: [], indicators: {}, report, ...changes };
}

describe('createTestWorld', () => {
  it('turns plain data into shared columns with usage summed up', () => {
    const snapshot = createTestWorld(world);

    expect(snapshot.hosts.vcpus.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect([...snapshot.hosts.vcpusUsed]).toEqual([9, 0, 11]);
    expect([...snapshot.hosts.flags]).toEqual([hostFlag.up | hostFlag.enabled, hostFlag.up, hostFlag.enabled]);
    expect(snapshot.zones).toEqual(['z1', 'z2', 'nova']);
    expect(snapshot.hostInfo[0]?.aggregates).toEqual([0]);
    expect([...snapshot.instances.host]).toEqual([0, 0, -1]);
    expect([...snapshot.instances.group]).toEqual([0, -1, -1]);
    expect(snapshot.instances.flags[1]).toBe(instanceFlag.locked | instanceFlag.busy);
    expect(instanceStates[snapshot.instances.state[1] ?? 0]).toBe('stopped');
    expect(snapshot.instances.disk[2]).toBe(0);
    expect(snapshot.complete).toBe(true);
  });

  it.each([
    [{ hosts: [{ hostname: 'a' }, { hostname: 'a' }] }, /two hosts are called a/],
    [{ hosts: [], instances: [{ name: 'x', host: 'nowhere' }] }, /no host called nowhere/],
    [{ hosts: [], instances: [{ name: 'x', group: 'none' }] }, /no group called none/],
    [{ hosts: [], instances: [{ name: 'x' }, { name: 'x' }] }, /two instances are called/],
  ])('names the fault of %j', (broken, reason) => {
    expect(() => createTestWorld(broken)).toThrow(reason);
  });

  it('gives every name its own valid uuid, always the same', () => {
    expect(testUuid('x')).toBe(testUuid('x'));
    expect(testUuid('x')).not.toBe(testUuid('y'));
    expect(testUuid('x')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('createTestMetrics', () => {
  it('returns numbers, tables and functions, by name or uuid', async () => {
    const window = { periodSeconds: 60, aggregate: 'mean' } as const;
    const metrics = createTestMetrics(createTestWorld(world), {
      host_cpu_usage: { a: 10 },
      host_power: 5,
      instance_cpu_usage: (name) => (name === testUuid('x') ? 1 : undefined),
    });

    expect([...(await metrics.hosts('host_cpu_usage', window))]).toEqual([10, Number.NaN, Number.NaN]);
    expect([...(await metrics.hosts('host_power', window))]).toEqual([5, 5, 5]);
    expect([...(await metrics.instances('instance_cpu_usage', window))]).toEqual([1, Number.NaN, Number.NaN]);
    await expect(metrics.hosts('instance_cpu_usage', window)).rejects.toThrow(/not a metric/);
  });

  it('refuses a misspelt metric, in the numbers and in a query', async () => {
    const snapshot = createTestWorld(world);
    const misspelt = { host_cpu_usag: 10 } as object;

    expect(() => createTestMetrics(snapshot, misspelt)).toThrow(
      /metrics.host_cpu_usag: .* did you mean host_cpu_usage/,
    );
    const query = createTestMetrics(snapshot, {}).hosts('host_powr' as MetricName, {
      periodSeconds: 60,
      aggregate: 'mean',
    });
    await expect(query).rejects.toThrow(/did you mean host_power/);
  });
});

/** Allows any of the indicators of these tests. */
const ownGoal: GoalPlugin = {
  kind: 'goal',
  name: 'own',
  displayName: 'Own',
  indicators: ['n', 'random', 'now', 'runs'].map((name) => ({
    name,
    description: name,
    unit: null,
    required: false,
    schema: { type: 'number' },
  })),
  globalEfficacy: () => [],
};

function strategyWith(change: Partial<StrategyManifest>, actions: ProposedAction[] = []): StrategyPlugin {
  const report = { ...resultOf().report, emptyBecause: actions.length > 0 ? null : 'nothing to do' };
  const { manifest, run } = strategyThat(async () => resultOf({ actions, report }));
  return { manifest: { ...manifest, ...change }, run };
}

function proposed(actionType: string, inputParameters: object): ProposedAction {
  return {
    ...migrate('x', 'a', 'b'),
    actionType,
    inputParameters: inputParameters as ProposedAction['inputParameters'],
  };
}

describe('runStrategy', () => {
  const snapshot = createTestWorld(world);

  it.each<[string, StrategyPlugin, RegExp]>([
    [
      'an unknown action type',
      strategyWith({}, [migrate('x', 'a', 'b'), proposed('teleport', {})]),
      /actions\[1\]\.actionType: no action type teleport is loaded; known are .*, migrate, /,
    ],
    [
      'a misspelt action type',
      strategyWith({}, [proposed('migrat', {})]),
      /actions\[0\]\.actionType: .*; did you mean migrate\?$/,
    ],
    [
      'a missing input',
      strategyWith({}, [proposed('nop', {})]),
      /actions\[0\]\.inputParameters\.message: is required \(action type nop\)$/,
    ],
    [
      'a misspelt input',
      strategyWith({}, [proposed('nop', { message: null, fail_excute: true })]),
      /inputParameters\.fail_excute: is not allowed; did you mean fail_execute\?/,
    ],
    [
      'an invalid input',
      strategyWith({}, [
        {
          ...migrate('x', 'a', 'b'),
          inputParameters: { ...migrate('x', 'a', 'b').inputParameters, migration_type: 'lve' },
        },
      ]),
      /inputParameters\.migration_type: must be one of "live", "cold"; did you mean live\?/,
    ],
    ['a broken manifest', strategyWith({ models: ['weather'] as never }), /manifest\.models\[0\] must be one of/],
    ['an unknown goal', strategyWith({ goal: 'dumy' }), /manifest\.goal is dumy.*did you mean dummy\?/],
    ['an unknown planner', strategyWith({ planner: 'magic' }), /manifest\.planner is magic.*known are .*resource/],
  ])('refuses %s, as the engine does', async (_, strategy, reason) => {
    await expect(runStrategy(strategy, { snapshot })).rejects.toThrow(reason);
  });

  it('knows the action types among the other plugins', async () => {
    const [nop] = actionCatalogue.filter(({ name }) => name === 'nop');
    const announce = { ...nop, name: 'announce' } as VigilPlugin;
    const strategy = strategyWith({}, [proposed('announce', { message: 'hello' })]);

    const { actions } = await runStrategy(strategy, { snapshot, plugins: [strategy, announce] });
    expect(actions).toHaveLength(1);
    await expect(runStrategy(strategy, { snapshot })).rejects.toThrow(/no action type announce/);
  });

  it('runs as the engine does: defaults, seeded chance, a still clock', async () => {
    const { manifest, run } = strategyThat(async ({ parameters, random, clock }) =>
      resultOf({ indicators: { n: Number(parameters.n), random: random(), now: clock.now() } }),
    );
    const strategy = { manifest: { ...manifest, goal: 'own' }, run };

    const plugins = [ownGoal];
    const first = await runStrategy(strategy, { snapshot, plugins });
    const other = await runStrategy(strategy, { snapshot, plugins, seed: 2, nowMs: 77, parameters: { n: 5 } });

    expect(first.indicators).toMatchObject({ n: 4, now: snapshot.takenAtMs });
    expect(other.indicators).toMatchObject({ n: 5, now: 77 });
    expect(other.indicators.random).not.toBe(first.indicators.random);
    await expect(runStrategy(strategy, { snapshot, plugins, parameters: { m: 1 } })).rejects.toThrow(
      /m: is not a parameter/,
    );
  });

  it.each([
    [undefined, /result: must be an object/],
    [{ ...resultOf(), actions: undefined }, /actions: must be an array/],
    [{ ...resultOf(), actions: [{ actionType: 'nop' }] }, /actions\[0\]\.inputParameters/],
    [{ ...resultOf(), actions: [{ actionType: 'nop', inputParameters: {} }] }, /actions\[0\]\.reason/],
    [{ ...resultOf(), indicators: { n: Number.NaN } }, /indicators\.n: NaN/],
    [{ ...resultOf(), report: { hosts: {} } }, /report\.hosts/],
  ])('refuses the result %j', async (result, reason) => {
    const strategy = strategyThat(async () => result as StrategyResult);

    await expect(runStrategy(strategy, { snapshot: createTestWorld(world) })).rejects.toThrow(reason);
  });
});

describe('applyActions', () => {
  it('moves, follows service states, and makes the refusals of Nova', () => {
    const snapshot = createTestWorld(world);
    const enable: ProposedAction = {
      ...migrate('x', 'a', 'b'),
      actionType: 'change_nova_service_state',
      inputParameters: { resource_id: 'b', resource_name: 'b', state: 'enabled' },
    };

    expect(applyActions(snapshot, [enable, migrate('x', 'a', 'b')]).hostOf[0]).toBe(1);
    expect(() => applyActions(snapshot, [migrate('x', 'a', 'b')])).toThrow(/would be refused/);
    expect(() => applyActions(snapshot, [enable, migrate('y', 'a', 'b')])).toThrow(AssertionError);
    expect(() => applyActions(snapshot, [migrate('x', 'b', 'a')])).toThrow(/starts from the wrong host/);
    expect(() => applyActions(snapshot, [migrate('ghost', 'a', 'b')])).toThrow(/unknown instance/);
  });
});

describe('assertWellBehaved', () => {
  it('accepts a pure strategy', async () => {
    await assertWellBehaved(
      strategyThat(async () => resultOf()),
      { snapshot: createTestWorld(world) },
    );
  });

  it('finds chance, changed snapshots and silence', async () => {
    let runs = 0;
    const counting = strategyThat(async () => resultOf({ indicators: { runs: ++runs } }));
    const forgetful = { ...counting, manifest: { ...counting.manifest, goal: 'own' } };
    const rude = strategyThat(async ({ model }) => {
      model.snapshot.hosts.vcpus[0] = 1;
      return resultOf();
    });
    const silent = strategyThat(async () => ({ ...resultOf(), report: { ...resultOf().report, emptyBecause: null } }));

    for (const [strategy, reason] of [
      [forgetful, /two results/],
      [rude, /changed the snapshot/],
      [silent, /emptyBecause/],
    ] as const) {
      const tried = assertWellBehaved(strategy, { snapshot: createTestWorld(world), plugins: [ownGoal] });
      await expect(tried).rejects.toThrow(reason);
    }
  });

  it('finds planners and goals that fail', async () => {
    const planner = (plan: PlannerPlugin['plan']): PlannerPlugin => ({
      kind: 'planner',
      name: 'own',
      description: 'd',
      plan,
    });
    const teleports = planner((actions, { newUuid }) =>
      actions.map((action) => ({ ...action, actionType: 'teleport', uuid: newUuid(), parents: [] })),
    );
    const strategy = strategyWith({ planner: 'own', goal: 'own' }, [proposed('nop', { message: null })]);
    const inOrder = planner((actions, { newUuid }) =>
      actions.map((action) => ({ ...action, uuid: newUuid(), parents: [] })),
    );
    const brokenGoal: GoalPlugin = { ...ownGoal, globalEfficacy: () => [{ value: Number.NaN }] as never };
    const tried = (...plugins: VigilPlugin[]) =>
      assertWellBehaved(strategy, { snapshot: createTestWorld(world), plugins });

    await tried(inOrder, ownGoal);
    await expect(tried(teleports, ownGoal)).rejects.toThrow(/planner own returned an unusable plan: actions\[0\]/);
    await expect(tried(inOrder, brokenGoal)).rejects.toThrow(/goal own returned a global efficacy without name/);
  });
});
