import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComputeSnapshot, createWhatIf } from '#libs/cluster-model';
import {
  type BlockedAction,
  networksOf,
  type PlanLimits,
  type PlannedAction,
  type ProposedAction,
} from '#libs/plugin-kit';
import { createTestWorld, type TestHost, testUuid } from '#libs/plugin-kit/testing';
import { resourcePlanner } from './planner.ts';

const reason = { rule: 'test', summary: 'test', values: [], rejected: [] };
const wide: PlanLimits = { parallelPerSourceHost: 99, parallelPerDestinationHost: 99, parallelMigrations: 99 };

function migrate(instance: string, source: string, destination?: string): ProposedAction {
  return {
    actionType: 'migrate',
    inputParameters: {
      resource_id: testUuid(instance),
      resource_name: instance,
      migration_type: 'live',
      source_node: source,
      ...(destination === undefined ? {} : { destination_node: destination }),
    },
    reason,
  };
}

function change(host: string, state: 'enabled' | 'disabled'): ProposedAction {
  const inputParameters = { resource_id: testUuid(host), resource_name: host, state };
  return { actionType: 'change_nova_service_state', inputParameters, reason };
}

function plan(
  snapshot: ComputeSnapshot,
  actions: ProposedAction[],
  limits = wide,
  onBlocked?: (blocked: BlockedAction) => void,
): PlannedAction[] {
  let next = 0;
  return resourcePlanner.plan(actions, { snapshot, limits, newUuid: () => `uuid-${next++}`, onBlocked });
}

function nameOf(action: ProposedAction): string {
  const { state, resource_name: name, message } = action.inputParameters;
  return [state, name ?? message ?? action.actionType].filter(Boolean).join(' ');
}

/** Parents of every action by name. */
function edges(planned: PlannedAction[]): Record<string, string[]> {
  const names = new Map(planned.map((action) => [action.uuid, nameOf(action)]));
  return Object.fromEntries(
    planned.map((action) => [nameOf(action), action.parents.map((parent) => names.get(parent) as string)]),
  );
}

describe('resource planner', () => {
  const world = createTestWorld({
    hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpus: 4 })),
    instances: [
      { name: 'a1', host: 'a', vcpus: 2 },
      { name: 'a2', host: 'a', vcpus: 2 },
      { name: 'b1', host: 'b', vcpus: 3 },
      { name: 'c1', host: 'c', vcpus: 1 },
    ],
  });

  it('frees room before it is used', () => {
    expect(edges(plan(world, [migrate('a1', 'a', 'c'), migrate('c1', 'c', 'a')]))).toEqual({ a1: [], c1: ['a1'] });
  });

  it('also when the strategy lists the freeing move later', () => {
    const small = createTestWorld({
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpus: 4 })),
      instances: [
        { name: 'a1', host: 'a', vcpus: 4 },
        { name: 'b1', host: 'b', vcpus: 4 },
      ],
    });
    expect(edges(plan(small, [migrate('a1', 'a', 'b'), migrate('b1', 'b', 'c')]))).toEqual({ b1: [], a1: ['b1'] });
  });

  it('lets moves with room of their own run in parallel', () => {
    expect(edges(plan(world, [migrate('a1', 'a', 'c'), migrate('c1', 'c', 'b')]))).toEqual({ a1: [], c1: [] });
  });

  it('disables a drained host first and enables a destination before it receives', () => {
    const actions = [change('b', 'enabled'), migrate('a1', 'a', 'c'), migrate('c1', 'c', 'b'), change('a', 'disabled')];
    expect(edges(plan(world, actions))).toEqual({
      'enabled b': [],
      'disabled a': [],
      a1: ['disabled a'],
      c1: ['enabled b'],
    });
  });

  it('keeps the order on one instance, and of messages', () => {
    const sleep: ProposedAction = { actionType: 'sleep', inputParameters: { duration: 1 }, reason };
    const nop: ProposedAction = { actionType: 'nop', inputParameters: { message: 'hi' }, reason };
    const stop: ProposedAction = {
      actionType: 'stop',
      inputParameters: { resource_id: testUuid('a1') },
      reason,
    };
    expect(edges(plan(world, [migrate('a1', 'a', 'c'), stop, nop, sleep]))).toEqual({
      a1: [],
      stop: ['a1'],
      hi: [],
      sleep: ['hi'],
    });
  });

  it('counts places of an anti-affinity group as room', () => {
    const grouped = createTestWorld({
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })),
      instances: [
        { name: 'a1', host: 'a', group: 'g' },
        { name: 'b1', host: 'b', group: 'g' },
      ],
      groups: [{ name: 'g', policy: 'anti-affinity' }],
    });
    expect(edges(plan(grouped, [migrate('b1', 'b', 'c'), migrate('a1', 'a', 'b')]))).toEqual({ b1: [], a1: ['b1'] });
  });

  const exchange = [migrate('a1', 'a', 'b'), migrate('b1', 'b', 'a')];
  const full = (third: TestHost, small: number) =>
    createTestWorld({
      hosts: [{ hostname: 'a', vcpus: 4 }, { hostname: 'b', vcpus: 4 }, third],
      instances: [
        { name: 'a1', host: 'a', vcpus: 4, memory: 2048 },
        { name: 'b1', host: 'b', vcpus: 4, memory: small },
      ],
    });

  it('exchanges instances of full hosts through a third one, the smaller of them', () => {
    const planned = plan(full({ hostname: 'c', vcpus: 4 }, 1024), exchange);
    const steps = planned.map(({ inputParameters: input }) => [
      input.resource_name,
      input.source_node,
      input.destination_node,
    ]);
    expect(steps).toEqual([
      ['b1', 'b', 'c'],
      ['a1', 'a', 'b'],
      ['b1', 'c', 'a'],
    ]);
    const [hop, first] = planned.map(({ uuid }) => uuid);
    expect(planned.map(({ parents }) => parents)).toEqual([[], [hop], [first, hop]]);
    expect(planned[0]?.reason).toMatchObject({
      rule: 'swap-through-buffer',
      values: [{ subject: 'c', quantity: 'vcpus_allocated', before: 0, after: 4 }, { quantity: 'memory_allocated' }],
    });
  });

  it.each<[string, TestHost, PlanLimits]>([
    ['no third host has room', { hostname: 'c', vcpus: 3 }, wide],
    ['the third host is down', { hostname: 'c', vcpus: 4, state: 'down' }, wide],
    ['the budget has no place for one migration more', { hostname: 'c', vcpus: 4 }, { ...wide, mostMigrations: 2 }],
  ])('leaves an exchange out and says why when %s', (_, third, limits) => {
    const blocked: BlockedAction[] = [];
    const planned = plan(full(third, 1024), exchange, limits, (action) => blocked.push(action));
    if (limits.mostMigrations === undefined) expect(planned).toEqual([]);
    expect(blocked.map(({ constraint }) => constraint)).toEqual(['vcpu', 'vcpu']);
    expect(blocked[0]?.why).toContain('a1 can not go from a to b: b refuses it (vcpu) in every order');
  });

  it('counts dedicated CPUs apart from shared ones', () => {
    const pinned = createTestWorld({
      hosts: ['a', 'b'].map((hostname) => ({ hostname, vcpus: 4, dedicatedCpus: 4 })),
      instances: [
        { name: 'a1', host: 'a', vcpus: 4, flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated' } },
        { name: 'b1', host: 'b', vcpus: 4 },
        { name: 'b2', host: 'b', vcpus: 4, flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated' } },
      ],
    });
    expect(edges(plan(pinned, [migrate('b1', 'b', 'a')]))).toEqual({ b1: [] });
    expect(plan(pinned, [migrate('b2', 'b', 'a')])).toEqual([]);
  });

  it('survives contradictory service changes', () => {
    const actions = [change('b', 'disabled'), migrate('a1', 'a', 'b'), change('b', 'enabled'), migrate('b1', 'b', 'c')];
    const planned = plan(world, actions);
    expect(planned).toHaveLength(4);
    expectTopological(planned);
  });

  it.each<[string, PlanLimits]>([
    ['per source host', { ...wide, parallelPerSourceHost: 2 }],
    ['per plan', { ...wide, parallelMigrations: 2 }],
    ['per destination host', { ...wide, parallelPerDestinationHost: 2 }],
    ['per network', { ...wide, parallelPerNetwork: 2, networks: [{ name: 'rack', pattern: 'b*' }] }],
    ['per aggregate', { ...wide, parallelPerAggregate: 2 }],
  ])('makes lanes for the limit %s', (_, limits) => {
    const names = ['i1', 'i2', 'i3', 'i4', 'i5'];
    const big = createTestWorld({
      hosts: [{ hostname: 'a' }, { hostname: 'b', aggregates: ['fast'] }],
      instances: names.map((name) => ({ name, host: 'a' })),
    });
    const planned = plan(
      big,
      names.map((name) => migrate(name, 'a', 'b')),
      limits,
    );
    expect(edges(planned)).toEqual({ i1: [], i2: [], i3: ['i1'], i4: ['i2'], i5: ['i3'] });
  });

  it('plans 20,000 migrations quickly', () => {
    const count = 20_000;
    const hosts = Array.from({ length: 1000 }, (_, index) => ({ hostname: `h${index}`, vcpus: 1000, memory: 1e7 }));
    const instances = Array.from({ length: count }, (_, index) => ({ name: `i${index}`, host: `h${index % 500}` }));
    const snapshot = createTestWorld({ hosts: hosts.map((host) => ({ ...host, used: { vcpus: 40 } })), instances });
    const actions = instances.map(({ name, host }, index) => migrate(name, host, `h${500 + (index % 500)}`));
    const begin = performance.now();
    const planned = plan(snapshot, actions, {
      parallelPerSourceHost: 2,
      parallelPerDestinationHost: 2,
      parallelMigrations: 10,
    });
    expect(planned).toHaveLength(count);
    expect(performance.now() - begin).toBeLessThan(15_000);
  });
});

function expectTopological(planned: PlannedAction[]): void {
  const seen = new Set<string>();
  for (const { uuid, parents } of planned) {
    for (const parent of parents) expect(seen.has(parent)).toBe(true);
    seen.add(uuid);
  }
}

/** A random small cloud, a feasible random walk of moves through it, and limits. */
const scenario = fc
  .record({
    hosts: fc.array(fc.record({ vcpus: fc.integer({ min: 4, max: 10 }) }), { minLength: 2, maxLength: 6 }),
    instances: fc.array(fc.record({ vcpus: fc.integer({ min: 1, max: 5 }), host: fc.nat(), grouped: fc.boolean() }), {
      minLength: 1,
      maxLength: 14,
    }),
    walk: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 30 }),
    shuffle: fc.boolean(),
    limits: fc.record({
      parallelPerSourceHost: fc.integer({ min: 1, max: 3 }),
      parallelPerDestinationHost: fc.integer({ min: 1, max: 3 }),
      parallelMigrations: fc.integer({ min: 1, max: 5 }),
      parallelPerNetwork: fc.integer({ min: 1, max: 3 }),
      parallelPerAggregate: fc.integer({ min: 1, max: 3 }),
      networks: fc.constant([
        { name: 'even', pattern: 'h*0' },
        { name: 'low', pattern: 'h0' },
        { name: 'low', pattern: 'h1' },
      ]),
    }),
    /** Instances whose final hosts are exchanged, which a walk of feasible moves never does. */
    exchanges: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
    choices: fc.infiniteStream(fc.nat()),
  })
  .map((given) => {
    const snapshot = createTestWorld({
      hosts: given.hosts.map(({ vcpus }, index) => ({
        hostname: `h${index}`,
        vcpus,
        aggregates: [`aggregate ${index % 2}`],
      })),
      instances: given.instances.map(({ vcpus, host, grouped }, index) => ({
        name: `i${index}`,
        vcpus,
        host: `h${host % given.hosts.length}`,
        ...(grouped ? { group: 'g' } : {}),
      })),
      groups: [{ name: 'g', policy: 'anti-affinity', maxServerPerHost: 2 }],
    });
    const model = createWhatIf(snapshot);
    const actions: ProposedAction[] = [];
    for (const [instance, host] of given.walk) {
      const row = instance % given.instances.length;
      const to = host % given.hosts.length;
      const from = model.hostOf[row] as number;
      if (model.refusal(row, to) !== null) continue;
      model.move(row, to);
      actions.push(migrate(`i${row}`, `h${from}`, `h${to}`));
    }
    for (const pair of given.exchanges) {
      const [one = 0, other = 0] = pair.map((row) => row % given.instances.length);
      const [from, to] = [model.hostOf[one] as number, model.hostOf[other] as number];
      if (from === to) continue;
      actions.push(migrate(`i${one}`, `h${from}`, `h${to}`), migrate(`i${other}`, `h${to}`, `h${from}`));
      model.move(one, to);
      model.move(other, from);
    }
    return { snapshot, actions, limits: given.limits, choices: given.choices };
  });

/** Starts and ends actions in a random order that the graph allows, and calls `check` after every start. */
function executeRandomly(
  planned: PlannedAction[],
  choices: Iterator<number>,
  check: (running: PlannedAction[]) => void,
) {
  const done = new Set<string>();
  const running: PlannedAction[] = [];
  const waiting = [...planned];
  while (waiting.length + running.length > 0) {
    const ready = waiting.filter(({ parents }) => parents.every((parent) => done.has(parent)));
    const choice = choices.next().value % (ready.length + running.length);
    const starts = ready[choice];
    if (starts === undefined) {
      const [ended] = running.splice(choice - ready.length, 1);
      done.add((ended as PlannedAction).uuid);
    } else {
      waiting.splice(waiting.indexOf(starts), 1);
      running.push(starts);
      check(running);
    }
  }
  return done;
}

/** Where each instance is sent last. */
function lastHosts(actions: ProposedAction[]): Map<unknown, unknown> {
  const last = actions.map(({ inputParameters: { resource_id, destination_node } }): [unknown, unknown] => [
    resource_id,
    destination_node,
  ]);
  return new Map(last.sort(([one], [other]) => String(one).localeCompare(String(other))));
}

function isOneOf(blocked: BlockedAction[], action: ProposedAction): boolean {
  return blocked.some((other) => other.action === action);
}

function most(values: unknown[]): number {
  return Math.max(0, ...values.map((value) => values.filter((other) => other === value).length));
}

describe('resource planner, on random worlds', () => {
  it('lists parents before children, and every action, in the plan or as blocked', () => {
    let swaps = 0;
    fc.assert(
      fc.property(scenario, ({ snapshot, actions, limits }) => {
        const blocked: BlockedAction[] = [];
        const planned = plan(snapshot, actions, limits, (action) => blocked.push(action));
        expectTopological(planned);
        const hops = planned.filter(({ reason: { rule } }) => rule === 'swap-through-buffer').length;
        swaps += hops;
        expect(new Set(planned.map(({ uuid }) => uuid)).size).toBe(actions.length - blocked.length + hops);
        expect(lastHosts(planned)).toEqual(lastHosts(actions.filter((action) => !isOneOf(blocked, action))));
      }),
      { numRuns: 200 },
    );
    expect(swaps).toBeGreaterThan(0);
  });

  it('gives the same plan for the same input', () => {
    fc.assert(
      fc.property(scenario, ({ snapshot, actions, limits }) => {
        expect(plan(snapshot, actions, limits)).toEqual(plan(snapshot, actions, limits));
      }),
      { numRuns: 20 },
    );
  });

  it('holds limits, room and groups in any order that the graph allows', () => {
    fc.assert(
      fc.property(scenario, ({ snapshot, actions, limits, choices }) => {
        const planned = plan(snapshot, actions, limits);
        const { hosts, instances } = snapshot;
        const used = hosts.vcpusUsed.slice();
        const capacity = hosts.vcpus.map((vcpus, row) => Math.max(vcpus, used[row] as number));
        const members = new Int32Array(snapshot.hostInfo.length);
        instances.host.forEach((host, row) => {
          if ((instances.group[row] as number) >= 0) members[host] = (members[host] as number) + 1;
        });
        const allowed = members.map((count) => Math.max(2, count));
        const rowOf = (name: unknown) => snapshot.hostInfo.findIndex(({ hostname }) => hostname === name);
        const instanceOf = (uuid: unknown) => snapshot.instanceInfo.findIndex((info) => info.uuid === uuid);
        let before: PlannedAction[] = [];

        function shift(action: PlannedAction, host: number, sign: 1 | -1): void {
          const row = instanceOf(action.inputParameters.resource_id);
          used[host] = (used[host] as number) + sign * (instances.vcpus[row] as number);
          if ((instances.group[row] as number) >= 0) members[host] = (members[host] as number) + sign;
        }

        const done = executeRandomly(planned, choices[Symbol.iterator](), (running) => {
          const ended = before.filter((action) => !running.includes(action));
          for (const action of ended) shift(action, rowOf(action.inputParameters.source_node), -1);
          const begun = running.filter((action) => !before.includes(action));
          for (const action of begun) {
            const to = rowOf(action.inputParameters.destination_node);
            shift(action, to, 1);
            expect(used[to]).toBeLessThanOrEqual(capacity[to] as number);
            expect(members[to]).toBeLessThanOrEqual(allowed[to] as number);
          }
          before = [...running];
          const inputs = running.map(({ inputParameters }) => inputParameters);
          expect(running.length).toBeLessThanOrEqual(limits.parallelMigrations);
          expect(most(inputs.map(({ source_node }) => source_node))).toBeLessThanOrEqual(limits.parallelPerSourceHost);
          expect(most(inputs.map(({ destination_node }) => destination_node))).toBeLessThanOrEqual(
            limits.parallelPerDestinationHost,
          );
          expect(most(inputs.map(({ resource_id }) => resource_id))).toBeLessThanOrEqual(1);
          const hosts = inputs.map(({ source_node, destination_node }) => [`${source_node}`, `${destination_node}`]);
          const networks = hosts.flatMap((pair) => networksOf(pair, limits.networks));
          expect(most(networks)).toBeLessThanOrEqual(limits.parallelPerNetwork);
          const parities = hosts.flatMap((pair) => [...new Set(pair.map((host) => Number(host.slice(1)) % 2))]);
          expect(most(parities)).toBeLessThanOrEqual(limits.parallelPerAggregate);
        });
        expect(done.size).toBe(planned.length);
      }),
      { numRuns: 300 },
    );
  });
});
