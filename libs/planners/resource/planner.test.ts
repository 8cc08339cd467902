import { describe, expect, it } from 'vitest';
import type { BlockedAction, PlanLimits, ProposedAction } from '#libs/plugin-kit';
import { createTestWorld, type TestHost, testUuid } from '#libs/plugin-kit/testing';
import { change, edges, expectTopological, migrate, nameOf, plan, reason, wide } from './testing/plan-actions.ts';

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

  it('lets moves with separate room run in parallel', () => {
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

  const power = (host: string, state: 'on' | 'off'): ProposedAction => ({
    actionType: 'change_node_power_state',
    inputParameters: { resource_id: testUuid(`node ${host}`), resource_name: host, state },
    reason,
  });

  it('switches an emptied host off after its service, and enables a host after its start, side by side with others', () => {
    const off = [change('a', 'disabled'), migrate('a1', 'a', 'c'), power('a', 'off')];
    const on = [power('b', 'on'), change('b', 'enabled')];
    expect(edges(plan(world, [...off, ...on]))).toEqual({
      'disabled a': [],
      a1: ['disabled a'],
      'off a': expect.arrayContaining(['disabled a', 'a1']),
      'on b': [],
      'enabled b': ['on b'],
    });
  });

  it('switches 50 machines off at once, and 10 on', () => {
    const many = (count: number, state: 'on' | 'off') =>
      plan(
        world,
        Array.from({ length: count }, (_, row) => power(`h${row}`, state)),
      );
    expect(many(120, 'off').filter(({ parents }) => parents.length === 0)).toHaveLength(50);
    expect(many(120, 'on').filter(({ parents }) => parents.length === 0)).toHaveLength(10);
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

  it.each([
    ['a strict', true, ['b1']],
    ['a soft', false, []],
  ])('counts places under %s rule that keeps instances apart', (_, isStrict, before) => {
    const ruled = createTestWorld({
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })),
      instances: [
        { name: 'a1', host: 'a' },
        { name: 'b1', host: 'b' },
      ],
      rules: [{ kind: 'keep_apart', isStrict, instances: { names: ['*1'] } }],
    });
    expect(edges(plan(ruled, [migrate('a1', 'a', 'b'), migrate('b1', 'b', 'c')]))).toEqual({ b1: [], a1: before });
  });

  it.each([
    ['a strict', true, ['c1']],
    ['a soft', false, []],
  ])('keeps the order of moves under %s rule that keeps instances together', (_, isStrict, before) => {
    // `a1` may go to `b` only once `c1` is there: else fewer of the others are there than where it is.
    const ruled = createTestWorld({
      hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname })),
      instances: [
        { name: 'a1', host: 'a' },
        { name: 'a2', host: 'a' },
        { name: 'c1', host: 'c' },
      ],
      rules: [{ kind: 'keep_together', isStrict, instances: { names: ['*'] } }],
    });
    expect(edges(plan(ruled, [migrate('c1', 'c', 'b'), migrate('a1', 'a', 'b')]))).toEqual({ c1: [], a1: before });
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

  it('exchanges no instances through a newer hypervisor, from which none returns', () => {
    const hypervisor = { version: 6 };
    const cloud = (...others: TestHost[]) =>
      createTestWorld({
        hosts: [...['a', 'b'].map((hostname) => ({ hostname, vcpus: 4, hypervisor })), ...others],
        instances: ['a', 'b'].map((host) => ({ name: `${host}1`, host, vcpus: 4 })),
      });
    const newer = { hostname: 'newer', vcpus: 32, hypervisor: { version: 8 } };
    expect(plan(cloud(newer), exchange)).toEqual([]);
    const [hop] = plan(cloud(newer, { hostname: 'same', vcpus: 4, hypervisor }), exchange);
    expect(hop?.inputParameters.destination_node).toBe('same');
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
    expect(blocked[0]?.why).toContain('a1 cannot go from a to b: b refuses it (vcpu) in every order');
  });

  it('parks no instance on a host that the strategy leaves alone', () => {
    const third = { hostname: 'c', vcpus: 4 };
    const blocked: BlockedAction[] = [];
    expect(plan(full(third, 1024), exchange, wide, (action) => blocked.push(action), ['c'])).toEqual([]);
    expect(blocked.map(({ constraint }) => constraint)).toEqual(['vcpu', 'vcpu']);
    expect(plan(full(third, 1024), exchange, wide, undefined, ['a', 'b'])).toHaveLength(3);
  });

  describe('a host that was to be emptied and cannot be', () => {
    const cloud = createTestWorld({
      hosts: [
        { hostname: 'a', vcpus: 8 },
        { hostname: 'b', vcpus: 3 },
        { hostname: 'c', vcpus: 8 },
        { hostname: 'd', vcpus: 4 },
      ],
      instances: [
        { name: 'a1', host: 'a', vcpus: 2 },
        { name: 'a2', host: 'a', vcpus: 4 },
        { name: 'c1', host: 'c', vcpus: 4 },
      ],
    });
    const frees = (action: ProposedAction): ProposedAction => ({ ...action, freesHost: 'a' });
    const moves = [migrate('a1', 'a', 'b'), migrate('a2', 'a', 'b'), migrate('c1', 'c', 'd')];
    const outcome = (actions: ProposedAction[]) => {
      const blocked: BlockedAction[] = [];
      const planned = plan(cloud, actions, wide, (entry) => blocked.push(entry));
      return {
        planned: edges(planned),
        blocked: blocked.map(({ action, constraint }) => [nameOf(action), constraint]),
      };
    };

    it.each([
      ['', [frees(change('a', 'disabled')), ...moves]],
      [' (and enabled at the end)', [frees(change('a', 'disabled')), ...moves, change('a', 'enabled')]],
    ])('is not disabled and keeps all its instances; the rest of the plan stands%s', (_, actions) => {
      const { planned, blocked } = outcome(actions);
      expect(planned).toEqual({ c1: [] });
      expect(blocked.slice(0, 3)).toEqual([
        ['a2', 'vcpu'],
        ['disabled a', 'host-not-emptied'],
        ['a1', 'host-not-emptied'],
      ]);
      expect(blocked.slice(3)).toEqual(actions.length === 4 ? [] : [['enabled a', 'host-not-emptied']]);
    });

    it('is disabled if that is the aim itself, and its movable instances leave', () => {
      const { planned, blocked } = outcome([change('a', 'disabled'), ...moves]);
      expect(planned).toEqual({ 'disabled a': [], a1: ['disabled a'], c1: [] });
      expect(blocked).toEqual([['a2', 'vcpu']]);
    });
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

  it('plans all of 20,000 migrations', () => {
    const count = 20_000;
    const hosts = Array.from({ length: 1000 }, (_, index) => ({ hostname: `h${index}`, vcpus: 1000, memory: 1e7 }));
    const instances = Array.from({ length: count }, (_, index) => ({ name: `i${index}`, host: `h${index % 500}` }));
    const snapshot = createTestWorld({ hosts: hosts.map((host) => ({ ...host, used: { vcpus: 40 } })), instances });
    const actions = instances.map(({ name, host }, index) => migrate(name, host, `h${500 + (index % 500)}`));
    const planned = plan(snapshot, actions, {
      parallelPerSourceHost: 2,
      parallelPerDestinationHost: 2,
      parallelMigrations: 10,
    });
    expect(planned).toHaveLength(count);
  });

  it('starts the actions with the most gain for their duration first, and those that make room for them', () => {
    const cloud = createTestWorld({
      hosts: ['a', 'b', 'c', 'd'].map((hostname) => ({ hostname, vcpus: 8 })),
      instances: [
        { name: 'small', host: 'a', vcpus: 1 },
        { name: 'large', host: 'a', vcpus: 1, memory: 40_000 },
        { name: 'best', host: 'a', vcpus: 4 },
        { name: 'filler', host: 'c', vcpus: 6 },
        { name: 'little', host: 'a', vcpus: 1 },
      ],
    });
    const bringing = (action: ProposedAction, gain: number) => ({ ...action, gain });
    const actions = [
      bringing(migrate('little', 'a', 'b'), 1),
      bringing(migrate('large', 'a', 'b'), 6),
      bringing(migrate('small', 'a', 'b'), 5),
      bringing(migrate('best', 'a', 'c'), 40),
      bringing(migrate('filler', 'c', 'd'), -1),
    ];
    const one: PlanLimits = { ...wide, parallelMigrations: 1 };

    expect(plan(cloud, actions, one).map(nameOf)).toEqual(['filler', 'best', 'small', 'little', 'large']);
  });
});
