import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import {
  applyActions,
  assertWellBehaved,
  createTestWorld,
  movesOf,
  runStrategy,
  type TestWorld,
  testUuid,
} from '#libs/plugin-kit/testing';
import { randomCloud } from '../search-based/testing/random-cloud.ts';
import { consolidationOptimizerStrategy } from './strategy.ts';

/** Hosts of 16 vcpus. Each instance has 1 vcpu and the given memory. */
function cloud(instancesPerHost: number[], memory: (host: number) => number = () => 1024) {
  return createTestWorld({
    hosts: instancesPerHost.map((_, host) => ({ hostname: `h${host}` })),
    instances: instancesPerHost.flatMap((count, host) =>
      Array.from({ length: count }, (_, index) => ({
        name: `vm${host}-${index}`,
        host: `h${host}`,
        memory: memory(host),
      })),
    ),
  });
}

/** Hosts of 16 vcpus, each filled to between a half and three quarters by instances of 2 to 7 vcpus. */
function unevenWorld(hosts: number, seed: number): TestWorld {
  let state = seed * 7919;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  const instances: TestWorld['instances'] = [];
  for (let host = 0; host < hosts; host += 1) {
    const top = 8 + below(6);
    for (let sum = 0, vcpus = 2 + below(6); sum + vcpus <= top; sum += vcpus, vcpus = 2 + below(6))
      instances.push({ name: `vm${host}-${instances.length}`, host: `h${host}`, vcpus });
  }
  return { hosts: Array.from({ length: hosts }, (_, host) => ({ hostname: `h${host}` })), instances };
}

const idle = { instance_cpu_usage: 10 };

function run(snapshot = cloud([4, 3, 2, 2]), parameters: JsonObject = {}, seed = 1) {
  return runStrategy(consolidationOptimizerStrategy, { snapshot, metrics: idle, parameters, seed });
}

const disabled = (actions: { actionType: string; inputParameters: JsonObject }[]) =>
  actions.flatMap(({ actionType, inputParameters }) =>
    actionType === 'change_nova_service_state' ? String(inputParameters.resource_name) : [],
  );

describe('consolidation_optimizer', () => {
  it('frees hosts down to the bound, and keeps the reserve for failures', async () => {
    const { actions, indicators, report } = await run();
    const alone = await run(undefined, { reserve_hosts: 0 });

    expect(indicators).toMatchObject({ compute_nodes_count: 4, released_compute_nodes_count: 2 });
    expect(disabled(actions)).toHaveLength(2);
    // Other strategies know freed hosts by it: they switch them off, or use them again.
    const reasons = actions.flatMap(({ inputParameters }) => inputParameters.disabled_reason ?? []);
    expect(reasons).toEqual(['watcher_disabled', 'watcher_disabled']);
    expect(alone.indicators.released_compute_nodes_count).toBe(3);
    expect(alone.report).toMatchObject({ gap: 0, search: { endedBy: 'bound' } });
    expect(report.objective).toMatchObject([
      { level: 2, term: 'hosts_in_use', before: 4, after: 2, bound: 1 },
      { level: 3, term: 'moved_memory', unit: 'GiB' },
    ]);
    applyActions(cloud([4, 3, 2, 2]), actions);
  });

  it('neither empties nor fills hosts of which too little is measured', async () => {
    const snapshot = cloud([8, 3, 2, 2]);
    const metrics = { instance_cpu_usage: (name: string) => (/^vm[02]-/.test(name) ? Number.NaN : 10) };
    const requested = { snapshot, metrics, parameters: { reserve_hosts: 0, target_utilization: { vcpus: 100 } } };
    const { actions, report } = await runStrategy(consolidationOptimizerStrategy, requested);
    const trusting = await runStrategy(consolidationOptimizerStrategy, {
      ...requested,
      parameters: { ...requested.parameters, minimum_coverage: 0 },
    });

    expect(new Set(movesOf(actions).map(({ from, to }) => `${from}>${to}`))).toEqual(new Set(['h3>h1']));
    expect(report.blocked).toContainEqual({ constraint: 'coverage', count: 2, examples: ['h0', 'h2'] });
    expect(report.objective?.[0]).toMatchObject({ before: 4, after: 3 });
    expect(disabled(trusting.actions)).toHaveLength(3);
  });

  it('relieves a hot host to no host of which too little is measured', async () => {
    const snapshot = createTestWorld({
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpusRatio: 4 })),
      instances: [
        ...Array.from({ length: 4 }, (_, row) => ({ name: `a${row}`, host: 'a', vcpus: 4 })),
        ...['b0', 'b1'].map((name) => ({ name, host: 'b', vcpus: 4 })),
        { name: 'c0', host: 'c', vcpus: 4 },
      ],
    });
    const loads: Record<string, number> = { b0: Number.NaN, b1: 20, c0: 20 };
    const metrics = {
      host_cpu_usage: (host: string) => (host === 'a' ? 95 : 20),
      instance_cpu_usage: (name: string) => loads[name] ?? 95,
    };
    const { actions } = await runStrategy(consolidationOptimizerStrategy, {
      snapshot,
      metrics,
      parameters: { reserve_hosts: 0 },
    });

    expect(movesOf(actions)).toMatchObject([{ from: 'a', to: 'c' }]);
  });

  it('finds plans of several sizes, of which any can be planned again later', async () => {
    const snapshot = cloud([9, 8, 4, 7, 2]);
    const { variants = [], actions } = await run(snapshot, { reserve_hosts: 0, target_utilization: { vcpus: 100 } });

    expect(variants.length).toBeGreaterThan(1);
    expect(variants.map(({ actions: own }) => disabled(own).length)).toEqual(
      variants.map((_, index) => index + disabled(variants[0]?.actions ?? []).length),
    );
    expect(variants.filter(({ chosen }) => chosen).map((variant) => variant.actions)).toEqual([actions]);
    const small = variants[0]?.actions ?? [];
    const replan = movesOf(small).map(({ instance, to }) => ({ instance: testUuid(instance), host: to }));
    const again = await runStrategy(consolidationOptimizerStrategy, {
      snapshot: cloud([9, 8, 4, 7, 2]),
      metrics: idle,
      parameters: { reserve_hosts: 0, target_utilization: { vcpus: 100 } },
      replan,
    });
    expect(disabled(again.actions)).toEqual(disabled(small));
    expect(new Set(movesOf(again.actions))).toEqual(new Set(movesOf(small)));
  });

  it('packs the instances of many hosts together, where one host after the other wastes room', async () => {
    const snapshot = createTestWorld(unevenWorld(80, 2));
    const parameters = { max_moves: 0, reserve_hosts: 0, time_limit: 1, target_utilization: { vcpus: 100 } };
    const { actions, indicators, report } = await run(snapshot, parameters);

    // Orders of hosts alone, changed by chance, free 35.
    expect(indicators.released_compute_nodes_count).toBe(36);
    expect(report.gap).toBe(0);
    applyActions(createTestWorld(unevenWorld(80, 2)), actions);
  });

  it('names for each move the host that it empties, the other moves, and the refusals of fuller hosts', async () => {
    const world = createTestWorld({
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })),
      instances: [
        { name: 'one', host: 'a' },
        { name: 'two', host: 'a' },
        ...Array.from({ length: 5 }, (_, index) => ({ name: `b${index}`, host: 'b' })),
        ...Array.from({ length: 8 }, (_, index) => ({ name: `c${index}`, host: 'c' })),
      ],
    });
    // Eight busy instances make `c` hot: it takes nothing, although it is fuller.
    const each = (host: string, load: number) =>
      Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`${host}${index}`, load]));
    const { actions } = await runStrategy(consolidationOptimizerStrategy, {
      snapshot: world,
      metrics: { instance_cpu_usage: { one: 10, two: 10, ...each('b', 10), ...each('c', 100) } },
      parameters: { reserve_hosts: 0, max_moves: 2, hot_limit: 50 },
    });

    expect(movesOf(actions)).toMatchObject([
      { from: 'a', to: 'b' },
      { from: 'a', to: 'b' },
    ]);
    for (const { reason, gain } of actions.slice(0, 2)) {
      expect(reason.summary).toMatch(
        /goes from a to b: with 1 other migration that empties a, which takes the hosts in use from 3 to 2, together 100 % of the plan's gain/,
      );
      expect(reason.rejected).toEqual([{ alternative: 'c', because: 'hot-limit', others: 0 }]);
      expect(reason.values).toContainEqual({
        quantity: 'hosts_in_use',
        subject: 'a',
        unit: 'hosts',
        before: 1,
        after: 0,
      });
      expect(gain).toBeGreaterThan(0);
    }
  });

  it('moves at most 50 instances, or a fifth of the enabled hosts when that is more', async () => {
    const single = (hosts: number) => cloud(Array.from({ length: hosts }, () => 1));
    const migrationsOf = async (hosts: number, parameters: JsonObject = {}) =>
      (await run(single(hosts), { reserve_hosts: 0, time_limit: 1, ...parameters })).indicators
        .instance_migrations_count;

    expect(await migrationsOf(100)).toBe(50);
    expect(await migrationsOf(300)).toBe(60);
    expect(await migrationsOf(300, { max_moves: 50 })).toBe(50);
  });

  it('moves the least memory of plans that free as many', async () => {
    const snapshot = cloud([6, 3, 3], (host) => (host === 1 ? 8192 : 1024));
    const { actions } = await run(snapshot, { max_moves: 3, reserve_hosts: 0 });

    expect(disabled(actions)).toEqual(['h2']);
    expect(new Set(movesOf(actions).map(({ from }) => from))).toEqual(new Set(['h2']));
  });

  it('keeps the large of hosts with one instance each, and moves no instance twice in plans of a few moves', async () => {
    const sizes = [16, 64, 16, 64, 16, 64, 16, 64];
    const hosts = sizes.map((vcpus, row) => ({ hostname: `h${row}`, vcpus }));
    // Instances of large hosts have less memory.
    const instances = sizes.map((vcpus, row) => ({ name: `i${row}`, host: `h${row}`, memory: 4096 - 32 * vcpus }));
    const moved = new Set<string>();
    for (let plan = 0; plan < 3; plan += 1) {
      const enabled = hosts.filter(({ hostname }) => plan === 0 || instances.some(({ host }) => host === hostname));
      const { actions } = await run(createTestWorld({ hosts: enabled, instances }), { max_moves: 2 });
      for (const { instance, to } of movesOf(actions)) {
        expect(moved).not.toContain(instance);
        moved.add(instance);
        const row = instances.findIndex(({ name }) => name === instance);
        instances[row] = { ...instances[row]!, host: to };
      }
    }
    const used = new Set(instances.map(({ host }) => host));
    expect(moved.size).toBe(6);
    expect([...used].map((host) => sizes[Number(host.slice(1))])).toEqual([64, 64]);
  });

  it('prefers the moves of a former plan if they are as good', async () => {
    const snapshot = cloud([4, 4, 4, 9]);
    const parameters = { reserve_hosts: 0, max_moves: 4 };
    const open = [0, 1, 2, 3].map((index) => ({ instance: testUuid(`vm2-${index}`), host: 'h1' }));
    const runOn = (moves: typeof open) =>
      runStrategy(consolidationOptimizerStrategy, { snapshot, metrics: idle, parameters, past: { open: moves } });

    expect(disabled((await runOn([])).actions)).toEqual(['h0']);
    const warm = await runOn(open);
    expect(disabled(warm.actions)).toEqual(['h2']);
    expect(new Set(movesOf(warm.actions).map(({ to }) => to))).toEqual(new Set(['h1']));
  });

  it('keeps to the budget, which is part of the bound', async () => {
    const { actions, report } = await run(cloud([8, 6, 4, 4]), { max_moves: 3 });

    expect(actions).toEqual([]);
    expect(report.emptyBecause).toMatch(/nothing can be gained: no plan needs fewer than 4 hosts/);
  });

  it('counts no migration of instances that stay in its bound', async () => {
    const snapshot = createTestWorld({
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })),
      instances: [
        { name: 'locked', host: 'a', locked: true },
        ...Array.from({ length: 4 }, (_, index) => ({ name: `b${index}`, host: 'b' })),
        ...Array.from({ length: 5 }, (_, index) => ({ name: `c${index}`, host: 'c' })),
      ],
    });
    const { actions, report } = await run(snapshot, { max_moves: 5, reserve_hosts: 0 });

    expect(disabled(actions)).toEqual(['b']);
    expect(report).toMatchObject({ gap: 0, search: { endedBy: 'bound' } });
  });

  it('empties disabled hosts on request, and lets them take nothing', async () => {
    const world = {
      hosts: [{ hostname: 'a' }, { hostname: 'b' }, { hostname: 'c', status: 'disabled' as const }],
      instances: [
        { name: 'a0', host: 'a' },
        ...Array.from({ length: 3 }, (_, index) => ({ name: `b${index}`, host: 'b' })),
        ...Array.from({ length: 6 }, (_, index) => ({ name: `c${index}`, host: 'c' })),
      ],
    };
    const usual = await run(createTestWorld(world), { reserve_hosts: 0 });
    const requested = await run(createTestWorld(world), { reserve_hosts: 0, empty_disabled: true });
    const after = applyActions(createTestWorld(world), requested.actions);

    expect(movesOf(usual.actions)).toMatchObject([{ from: 'a', to: 'b' }]);
    expect(usual.report.objective?.[0]).toMatchObject({ before: 2, after: 1 });
    expect([0, 1, 2].map((host) => after.instancesOn(host).length)).toEqual([0, 10, 0]);
    expect(requested.report).toMatchObject({ gap: 0, objective: [{ before: 3, after: 1, bound: 1 }, {}] });
    // An operator has disabled it already, for another reason.
    expect(disabled(requested.actions)).toEqual(['a']);
    expect(requested.indicators).toMatchObject({ compute_nodes_count: 3, released_compute_nodes_count: 2 });
  });

  it('makes no host hot', async () => {
    const snapshot = cloud([7, 7]);
    const parameters = { reserve_hosts: 0, target_utilization: { vcpus: 100 } };
    const hot = await runStrategy(consolidationOptimizerStrategy, {
      snapshot,
      metrics: { instance_cpu_usage: 100 },
      parameters,
    });

    expect(hot.actions).toEqual([]);
    expect((await run(snapshot, parameters)).actions.length).toBeGreaterThan(0);
  });

  it('is well behaved on random clouds: no refused move, the same plan again, no value below its bound', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomCloud,
        fc.integer({ min: 0, max: 12 }),
        fc.boolean(),
        async ({ world, metrics }, moves, both) => {
          const parameters = {
            max_moves: moves,
            reserve_hosts: 0,
            target_utilization: { vcpus: 100, memory: 100 },
            time_limit: 1,
            empty_disabled: both,
          };
          const runOf = (seed: number) =>
            runStrategy(consolidationOptimizerStrategy, {
              snapshot: createTestWorld(world),
              metrics,
              parameters,
              seed,
            });
          const first = await runOf(7);

          expect(await runOf(7)).toEqual(first);
          const after = applyActions(createTestWorld(world), first.actions);
          for (const host of disabled(first.actions)) expect(after.instancesOn(after.hostRow(host)!)).toEqual([]);
          if (moves > 0) expect(movesOf(first.actions).length).toBeLessThanOrEqual(moves);
          for (const { after: value, bound } of first.report.objective ?? [])
            expect(value).toBeGreaterThanOrEqual(bound ?? 0);
        },
      ),
      { numRuns: Number(process.env.VIGIL_PROPERTY_RUNS ?? 60) },
    );
  });

  it('reports no value below its bound after a repair that reaches it', async () => {
    const sizes = [4, 1, 4, 2, 2, 4];
    const loads = [88, 29, Number.NaN, 81, 68, 72];
    const snapshot = createTestWorld({
      hosts: [
        { hostname: 'h0', vcpus: 8, status: 'disabled' },
        { hostname: 'h1', vcpus: 8 },
      ],
      instances: sizes.map((vcpus, row) => ({
        ...{ name: `vm${row}`, host: 'h0', vcpus },
        locked: row === 1 || row === 2,
        state: row === 0 || row === 4 ? ('stopped' as const) : ('active' as const),
      })),
    });
    const { report } = await runStrategy(consolidationOptimizerStrategy, {
      snapshot,
      metrics: { instance_cpu_usage: (name) => loads[Number(name.slice(2))] },
      parameters: { reserve_hosts: 0, target_utilization: { vcpus: 100, memory: 100 }, max_moves: 0, time_limit: 1 },
    });

    for (const { after, bound } of report.objective ?? []) expect(after).toBeGreaterThanOrEqual(bound ?? 0);
  });

  it('keeps the contract of strategies', async () => {
    await assertWellBehaved(consolidationOptimizerStrategy, { snapshot: cloud([4, 3, 2, 2]), metrics: idle });
  });
});
