import { describe, expect, it } from 'vitest';
import type { StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { createTestWorld, movesOf, runStrategy, type TestWorld, testUuid } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from './catalogue.ts';

/** Without a reserve for failures. */
const consolidators: [string, object][] = [
  ['vm_workload_consolidation', { failure_reserve: 0 }],
  ['basic', { failure_reserve: 0 }],
  ['node_resource_consolidation', { failure_reserve: 0 }],
  ['consolidation_optimizer', { reserve_hosts: 0, time_limit: 1 }],
];

const hot = ['x0', 'x1', 'x2', 'x3'];

/** Host `a` with four instances, and others, of which `b` has some. */
function cloud(others: TestWorld['hosts'], onB: number, onC: readonly string[] = []) {
  return createTestWorld({
    hosts: [{ hostname: 'a', vcpusRatio: 4 }, ...others],
    instances: [
      ...hot.map((name) => ({ name, host: 'a', vcpus: 4 })),
      ...Array.from({ length: onB }, (_, row) => ({ name: `b${row}`, host: 'b', vcpus: 4 })),
      ...onC.map((name) => ({ name, host: 'c', vcpus: 1 })),
    ],
  });
}

/**
 * @param percents CPU load of each host and its instances
 * @param replan migrations to plan again. Default: the strategy searches
 */
async function plan(
  name: string,
  parameters: object,
  snapshot: ReturnType<typeof cloud>,
  percents: Record<string, number>,
  replan?: { instance: string; host: string }[],
) {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
  return runStrategy(strategy, {
    snapshot,
    metrics: {
      instance_cpu_usage: (instance) => {
        if (instance.startsWith('unmeasured')) return Number.NaN;
        return instance.startsWith('x') ? percents.a : percents.b;
      },
      host_cpu_usage: (host) => percents[host] ?? 0,
    },
    parameters: { ...parameters },
    replan,
  });
}

const freedOf = (indicators: Readonly<Record<string, number>>) => indicators.released_compute_nodes_count ?? 0;

describe.each(consolidators)('%s', (name, parameters) => {
  it('relieves an overloaded host before it empties any', async () => {
    const snapshot = cloud([{ hostname: 'b', vcpusRatio: 4 }], 2);
    const result = await plan(name, parameters, snapshot, { a: 95, b: 30 });
    expect(movesOf(result.actions)).toMatchObject([{ from: 'a', to: 'b' }]);
    expect(result.actions[0]?.reason.rule).toBe('relieve-overload');
    expect(result.indicators).toMatchObject({ instance_migrations_count: 1, released_compute_nodes_count: 0 });
  });

  it('wakes a host that a consolidation freed when no other has room, before it moves anything there', async () => {
    const sleeping = { hostname: 'c', status: 'disabled', disabledReason: 'watcher_disabled' } as const;
    const snapshot = cloud([{ hostname: 'b', vcpusRatio: 4 }, sleeping], 4);
    const { actions } = await plan(name, parameters, snapshot, { a: 95, b: 75 });
    expect(actions).toMatchObject([
      { inputParameters: { state: 'enabled', resource_name: 'c' } },
      { actionType: 'migrate', inputParameters: { destination_node: 'c' } },
    ]);
  });

  it('wakes no host of which too little is measured', async () => {
    const sleeping = { hostname: 'c', status: 'disabled', disabledReason: 'watcher_disabled' } as const;
    const snapshot = cloud([{ hostname: 'b', vcpusRatio: 4 }, sleeping], 4, ['unmeasured']);
    const { actions } = await plan(name, parameters, snapshot, { a: 95, b: 75, c: Number.NaN });
    expect(actions).toEqual([]);
  });

  it('fills no host beyond the target by measured load', async () => {
    // By allocations each host could take all instances of the other.
    const result = await plan(name, parameters, cloud([{ hostname: 'b', vcpusRatio: 4 }], 3), { a: 60, b: 60 });
    expect(result.actions).toEqual([]);
  });
});

/** The same strategies with the reserve for the failure of a host. */
const withReserve = consolidators.map(([name, parameters]): [string, object] => {
  const reserve = 'reserve_hosts' in parameters ? { reserve_hosts: 1 } : { failure_reserve: 1 };
  return [name, { ...parameters, ...reserve, target_utilization: { memory: 100 } }];
});

const host = (hostname: string, gib: number) => ({ hostname, vcpusRatio: 4, memory: gib * 1024 });

/** Host `a` is hot. `b` has the least room. With an instance of `a` on it, the one of `c` finds no place elsewhere. */
function reserveCloud(memoryOfC: number) {
  return createTestWorld({
    hosts: [{ ...host('a', 6), vcpus: 8 }, host('b', 16), host('c', memoryOfC)],
    instances: [
      ...['x0', 'x1'].map((name) => ({ name, host: 'a', vcpus: 4, memory: 3 * 1024 })),
      ...['b0', 'b1', 'b2'].map((name) => ({ name, host: 'b', vcpus: 4, memory: 4 * 1024 })),
      { name: 'c0', host: 'c', vcpus: 4, memory: 4 * 1024 },
    ],
  });
}

/** As `reserveCloud(20)`, but `c` and the hosts of a second zone except `d` have too few CPUs for more load. */
function twoZones() {
  const few = (vcpus: number) => ({ vcpus, vcpusRatio: 10 });
  const far = { zone: 'far' };
  return createTestWorld({
    hosts: [
      ...[{ ...host('a', 6), vcpus: 8 }, host('b', 16), { ...host('c', 20), ...few(2) }],
      ...[{ ...host('d', 20), ...far }, ...['e', 'f'].map((name) => ({ ...host(name, 24), ...few(4), ...far }))],
    ],
    instances: [
      ...['x0', 'x1'].map((name) => ({ name, host: 'a', vcpus: 4, memory: 3 * 1024 })),
      ...['b', 'b', 'b', 'c', 'd', 'e', 'e', 'f', 'f'].map((on, row) => ({
        ...{ name: `${on}${row}`, host: on, vcpus: 4, memory: 4 * 1024 },
      })),
    ],
  });
}

/**
 * Host `a` is hot. Its zone already lacks the reserve for `c`, also without the room of `b`. The zone `far` has its
 * reserve until `d`, which has less room than `b`, takes an instance. `c` and `e` have too few CPUs for more load.
 */
function shortAndWholeZone() {
  const far = { zone: 'far' };
  return createTestWorld({
    hosts: [
      ...[{ ...host('a', 6), vcpus: 8 }, host('b', 24), { ...host('c', 32), vcpus: 12 }],
      ...[
        { ...host('d', 8), ...far },
        { ...host('e', 8), ...far, vcpus: 2, vcpusRatio: 10 },
      ],
    ],
    instances: [
      ...['x0', 'x1'].map((name) => ({ name, host: 'a', vcpus: 4, memory: 3 * 1024 })),
      ...['b', ...Array.from({ length: 7 }, () => 'c'), 'd', 'e'].map((on, row) => ({
        ...{ name: `${on}${row}`, host: on, vcpus: 4, memory: 4 * 1024 },
      })),
    ],
  });
}

describe.each(withReserve)('%s with a reserve', (name, parameters) => {
  it('relieves to the host that keeps the reserve, although another has less room', async () => {
    const { actions } = await plan(name, parameters, reserveCloud(20), { a: 95, b: 30 });
    expect(movesOf(actions)).toMatchObject([{ from: 'a', to: 'c' }]);
  });

  it('keeps the reserve for one host where no destination keeps that for two', async () => {
    const reserve = 'reserve_hosts' in parameters ? { reserve_hosts: 2 } : { failure_reserve: 2 };
    const { actions } = await plan(name, { ...parameters, ...reserve }, twoZones(), { a: 95, b: 30 });
    expect(movesOf(actions).filter(({ from }) => from === 'a')).toMatchObject([{ to: 'd' }]);
  });

  it('breaks no reserve of another zone where its own zone lacks one already', async () => {
    const { actions } = await plan(name, parameters, shortAndWholeZone(), { a: 95, b: 30 });
    expect(movesOf(actions).filter(({ from }) => from === 'a')).toMatchObject([{ to: 'b' }]);
  });

  it('leaves no host hot for the reserve', async () => {
    const { actions } = await plan(name, parameters, reserveCloud(4), { a: 95, b: 30 });
    expect(movesOf(actions)).toMatchObject([{ from: 'a', to: 'b' }]);
  });
});

/** Host `a` is hot, like the given others, and one of `b` and `c` can be emptied into the other one. */
function hotCloud(others: readonly string[] = []) {
  return createTestWorld({
    hosts: ['a', 'b', 'c', 'd', ...others].map((hostname) => ({ hostname, vcpusRatio: 4 })),
    instances: [
      ...['a', ...others].flatMap((host) =>
        hot.map((instance) => ({ name: host === 'a' ? instance : `${instance}-${host}`, host, vcpus: 4 })),
      ),
      ...['b0', 'b1'].map((instance) => ({ name: instance, host: 'b', vcpus: 4 })),
      { name: 'c0', host: 'c', vcpus: 4 },
      { name: 'd0', host: 'd', vcpus: 4 },
    ],
  });
}

it.each(consolidators)('%s relieves an overloaded host before it empties another one', async (name, parameters) => {
  const { actions } = await plan(name, parameters, hotCloud(), { a: 95, b: 20 });
  const [first] = actions.filter(({ actionType }) => actionType === 'migrate');
  expect(first).toMatchObject({ reason: { rule: 'relieve-overload' }, inputParameters: { source_node: 'a' } });
  // A host whose instance the relief would need again is not disabled.
  expect(actions.filter(({ reason }) => reason.rule === 'enable-for-overload')).toEqual([]);
});

it.each(consolidators)('%s empties a host in the plan that relieves another one', async (name, parameters) => {
  const given = name === 'node_resource_consolidation' ? { ...parameters, host_choice: 'specify' } : parameters;
  const { actions, indicators } = await plan(name, given, hotCloud(), { a: 95, b: 20 });
  const moves = movesOf(actions);
  const relieving = moves.filter(({ from }) => from === 'a');
  const emptying = moves.filter(({ from }) => from !== 'a');
  expect(relieving).toHaveLength(1);
  expect(emptying.length).toBeGreaterThan(0);
  expect(indicators).toMatchObject({ instance_migrations_count: moves.length });
  expect(indicators.released_compute_nodes_count).toBeGreaterThan(0);
  // No instance moves twice, and nothing moves to the host that was hot or off the one that relieves it.
  expect(new Set(moves.map(({ instance }) => instance)).size).toBe(moves.length);
  expect(emptying.map(({ to }) => to)).not.toContain('a');
  expect(emptying.map(({ from }) => from)).not.toContain(relieving[0]?.to);
});

describe.each(consolidators)('the budget of %s', (name, parameters) => {
  const given = { ...parameters, ...(name === 'node_resource_consolidation' ? { host_choice: 'specify' } : {}) };
  const moved = async (budget: number, snapshot: ReturnType<typeof cloud>) => {
    const percents = { a: 95, b: 20, e: 95 };
    const { actions } = await plan(name, { ...given, migration_budget: budget }, snapshot, percents);
    return movesOf(actions).map(({ from }) => from);
  };

  it('has the migrations of a relief', async () => {
    expect(await moved(1, hotCloud())).toEqual(['a']);
    expect(await moved(2, hotCloud())).toEqual(['a', expect.not.stringMatching('a')]);
  });

  it('limits a relief', async () => {
    const snapshot = hotCloud(['e']);
    expect(await moved(1, snapshot)).toEqual([expect.stringMatching(/^[ae]$/)]);
    expect((await moved(2, snapshot)).sort()).toEqual(['a', 'e']);
  });
});

describe('consolidation_optimizer', () => {
  const unlimited = { reserve_hosts: 0, time_limit: 1 };
  const planWith = (given: object, replan?: { instance: string; host: string }[]) =>
    plan('consolidation_optimizer', { ...unlimited, ...given }, hotCloud(), { a: 95, b: 20 }, replan);
  const rulesOf = ({ actions }: StrategyResult) =>
    actions.filter(({ actionType }) => actionType === 'migrate').map(({ reason }) => reason.rule);

  it('gives the relief the greatest gain, so that a planner starts with it', async () => {
    const { actions } = await planWith({});
    const gains = actions.map(({ reason, gain = 0 }) => ({ isRelief: reason.rule === 'relieve-overload', gain }));
    const [relief = 0] = gains.flatMap(({ isRelief, gain }) => (isRelief ? gain : []));

    expect(relief).toBeGreaterThan(Math.max(...gains.flatMap(({ isRelief, gain }) => (isRelief ? [] : gain))));
  });

  it('plans a relief again with the moves of a plan that had it', async () => {
    const first = await planWith({});
    const wanted = movesOf(first.actions).map(({ instance, to }) => ({ instance: testUuid(instance), host: to }));

    expect(rulesOf(await planWith({}, wanted))).toEqual(rulesOf(first));
    expect(rulesOf(await planWith({}, wanted.slice(1)))).toEqual(rulesOf(first).slice(1));
  });

  it('reports a relief and the hosts that it empties', async () => {
    const { report, indicators, variants = [] } = await planWith({});

    expect(report.notes[0]).toMatch(/^1 overloaded host is relieved by 1 migration/);
    expect(report.objective?.[0]).toMatchObject({ term: 'hosts_in_use', before: 4, after: 4 - freedOf(indicators) });
    expect(variants.length).toBeGreaterThan(0);
    for (const { moves, actions } of variants) expect(movesOf(actions)).toHaveLength(moves);
  });
});

describe('placement_optimizer with the preset consolidate', () => {
  const given = { reserve_hosts: 0, time_limit: 1 };
  const sleeping = { hostname: 'c', status: 'disabled', disabledReason: 'watcher_disabled' } as const;
  const withSleeping = () => cloud([{ hostname: 'b', vcpusRatio: 4 }, sleeping], 4);
  const summaries = ({ actions }: StrategyResult) =>
    actions.map(({ actionType, inputParameters, reason }) => ({ actionType, inputParameters, rule: reason.rule }));

  it.each([
    ['empties a host in the plan that relieves another one', hotCloud, { a: 95, b: 20 }, {}],
    ['spends its budget on a relief first', hotCloud, { a: 95, b: 20 }, { migration_budget: 1 }],
    ['wakes a host that a consolidation freed', withSleeping, { a: 95, b: 75 }, {}],
  ])('%s, as consolidation_optimizer does', async (_, snapshotOf, percents, more) => {
    const parameters = { ...given, ...more };
    const own = await plan('placement_optimizer', { ...parameters, preset: 'consolidate' }, snapshotOf(), percents);
    const other = await plan('consolidation_optimizer', parameters, snapshotOf(), percents);

    expect(summaries(own).map(({ rule }) => rule)).toContain('relieve-overload');
    expect(summaries(own)).toEqual(summaries(other));
    expect(own.indicators.instance_migrations_count).toBe(other.indicators.instance_migrations_count);
  });

  it('plans a relief again with the moves of a plan that had it', async () => {
    const planWith = (replan?: { instance: string; host: string }[]) =>
      plan('placement_optimizer', { ...given, preset: 'consolidate' }, hotCloud(), { a: 95, b: 20 }, replan);
    const first = await planWith();
    const wanted = movesOf(first.actions).map(({ instance, to }) => ({ instance: testUuid(instance), host: to }));

    expect(summaries(await planWith(wanted))).toEqual(summaries(first));
  });
});
