import { describe, expect, it } from 'vitest';
import { assertWellBehaved, createTestWorld, runStrategy, type TestWorld, testUuid } from '#libs/plugin-kit/testing';
import { failedHostEvacuationStrategy } from './strategy.ts';

const vm = (name: string, host: string, changes = {}) => ({ name, host, vcpus: 2, bootedFromVolume: true, ...changes });

const world: TestWorld = {
  hosts: [
    { hostname: 'fenced', state: 'down', forcedDown: true },
    { hostname: 'silent', state: 'down' },
    { hostname: 'a', vcpus: 8 },
    { hostname: 'b', vcpus: 8 },
  ],
  instances: [vm('x', 'fenced'), vm('y', 'silent'), vm('z', 'a')],
};

async function evacuated(given: TestWorld, parameters: object = {}) {
  const snapshot = createTestWorld(given);
  const { actions, report } = await runStrategy(failedHostEvacuationStrategy, { snapshot, parameters });
  const list = actions.map(
    ({ actionType, inputParameters: input }) =>
      `${actionType} ${input.resource_name} ${input.source_node}>${input.destination_node} (${input.fenced_by})`,
  );
  return { list, actions, report };
}

describe('failed_host_evacuation', () => {
  it('evacuates a host that is forced down, never one that only does not report', async () => {
    const { list, report, actions } = await evacuated(world);
    expect(list).toEqual(['evacuate x fenced>b (forced_down)']);
    expect(report.blocked).toEqual([{ constraint: 'not-fenced', count: 1, examples: ['silent'] }]);
    expect(report.notes).toEqual([
      'silent is down but not known to be fenced: force it down in Nova, or name it in fenced_hosts',
    ]);
    expect(actions[0]?.reason.summary).toBe('x (active) is rebuilt on b, since fenced is down and forced down.');
  });

  it('believes an operator who says that a silent host is fenced', async () => {
    const { list, report } = await evacuated(world, { fenced_hosts: ['silent'] });
    expect(list).toEqual(['evacuate x fenced>b (forced_down)', 'evacuate y silent>a (operator)']);
    expect(report.notes).toEqual([]);
  });

  it('does not evacuate a host that is up, even if it is called fenced', async () => {
    const { list, report } = await evacuated(world, { fenced_hosts: ['a'] });
    expect(list).toEqual(['evacuate x fenced>b (forced_down)']);
    expect(report.notes).toContain('a is up: its instances are not evacuated');
  });

  it('sends nothing to a fenced host, even while Nova still shows it as up', async () => {
    expect((await evacuated(world)).list).toEqual(['evacuate x fenced>b (forced_down)']);
    const { list, report } = await evacuated(world, { fenced_hosts: ['b'] });
    expect(list).toEqual(['evacuate x fenced>a (forced_down)']);
    expect(report.notes).toContain('b is up: its instances are not evacuated');
  });

  it.each([
    ['leave', ['image'], 1],
    ['evacuate', [], 2],
  ])('local_disks %s', async (local_disks, left, moved) => {
    const given = {
      ...world,
      instances: [vm('image', 'fenced', { bootedFromVolume: false, disk: 20 }), vm('volume', 'fenced')],
    };
    const { list, report } = await evacuated(given, { local_disks });
    expect(list).toHaveLength(moved);
    expect(report.blocked.find(({ constraint }) => constraint === 'local-disk')?.examples ?? []).toEqual(left);
  });

  it('takes stopped instances and those in error, and keeps those that Nova refuses', async () => {
    const instances = [
      ...(['active', 'stopped', 'error', 'paused', 'suspended'] as const).map((state) =>
        vm(state, 'fenced', { state }),
      ),
      vm('locked', 'fenced', { locked: true }),
      vm('busy', 'fenced', { busy: true }),
      vm('excluded', 'fenced', { excluded: true }),
      vm('bound', 'fenced', { volumeBound: true }),
    ];
    const { actions, report } = await evacuated({ ...world, instances });
    expect(actions.map(({ inputParameters }) => inputParameters.resource_name)).toEqual(['active', 'stopped', 'error']);
    const blocked = Object.fromEntries(report.blocked.map(({ constraint, examples }) => [constraint, examples]));
    expect(blocked).toMatchObject({
      'instance-state': ['paused', 'suspended'],
      'instance-locked': ['locked'],
      'instance-busy': ['busy'],
      'instance-excluded': ['excluded'],
      'volume-bound': ['bound'],
    });
    expect(report.notes).toContain('6 of 9 instances stay on failed compute nodes');
  });

  it('places the largest first, and names instances without room', async () => {
    const instances = [
      vm('small', 'fenced', { vcpus: 3 }),
      vm('large', 'fenced', { vcpus: 8 }),
      vm('huge', 'fenced', { vcpus: 9 }),
    ];
    const { list, report } = await evacuated({ ...world, instances });
    expect(list).toEqual(['evacuate large fenced>a (forced_down)', 'evacuate small fenced>b (forced_down)']);
    expect(report.blocked).toContainEqual({ constraint: 'vcpu', count: 1, examples: ['huge'] });
  });

  it.each<[string, TestWorld, string]>([
    ['no host is down', { hosts: [{ hostname: 'a' }] }, 'no compute node is down'],
    [
      'none is fenced',
      { hosts: [{ hostname: 'a', state: 'down' }] },
      'no compute node that is down is known to be fenced',
    ],
    ['it is empty', { hosts: [{ hostname: 'a', forcedDown: true }] }, 'the failed compute nodes have no instances'],
    [
      'none can go',
      { hosts: [{ hostname: 'a', forcedDown: true }], instances: [vm('x', 'a')] },
      'none of 1 instance on failed compute nodes can be evacuated',
    ],
  ])('has nothing to do when %s', async (_, given, because) => {
    expect((await evacuated(given)).report.emptyBecause).toBe(because);
  });

  it('refuses an unknown host with the nearest name', async () => {
    await expect(evacuated(world, { fenced_hosts: ['silnt'] })).rejects.toThrow(
      'fenced_hosts: there is no compute node silnt in the scope of the audit; did you mean silent?',
    );
  });

  it.each([
    [2, 'hosts with room for all of them: a, b'],
    [4, 'hosts with room for all of them: b'],
    [5, 'no host has room for all of them'],
  ])(
    'names the way out of an affinity group of two with %i CPUs each that is wholly on failed hosts',
    async (vcpus, hosts) => {
      const given: TestWorld = {
        ...world,
        groups: [{ name: 'pair', policy: 'affinity' }],
        instances: [...['x1', 'x2'].map((name) => vm(name, 'fenced', { vcpus, group: 'pair' })), vm('z', 'a')],
      };
      const { list, report } = await evacuated(given);
      expect(list).toEqual([]);
      expect(report.blocked).toContainEqual({ constraint: 'affinity', count: 2, examples: ['x1', 'x2'] });
      expect(report.notes).toContain(
        `affinity group ${testUuid('pair')} is wholly on failed hosts: ` +
          `its 2 instances (x1, x2) must move together to one host; ${hosts}`,
      );
    },
  );

  it('keeps the promises of a strategy', async () => {
    await assertWellBehaved(failedHostEvacuationStrategy, { snapshot: createTestWorld(world) });
  });
});
