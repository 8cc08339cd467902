import { describe, expect, it } from 'vitest';
import { applyScope } from '#libs/cluster-model';
import type { JsonObject } from '#libs/domain';
import {
  assertWellBehaved,
  createTestWorld,
  movesOf,
  runStrategy,
  type TestWorld,
  testUuid,
} from '#libs/plugin-kit/testing';
import { chooseMove, type Handling } from '../shared/moves/leave-host.ts';
import { scenario1 } from '../testing/watcher-scenarios.ts';
import { hostMaintenanceStrategy } from './strategy.ts';

function maintain(world: TestWorld, parameters: JsonObject) {
  return runStrategy(hostMaintenanceStrategy, { snapshot: createTestWorld(world), parameters });
}

/** Actions in short: `disable host`, `live I0 → host`. */
async function plan(world: TestWorld, parameters: JsonObject): Promise<string[]> {
  const { actions } = await maintain(world, parameters);
  return actions.map(({ actionType, inputParameters: input }) => {
    if (actionType === 'change_nova_service_state') return `${input.state} ${input.resource_name}`;
    if (actionType === 'stop') return `stop ${input.resource_id}`;
    return `${input.migration_type} ${input.resource_name} → ${input.destination_node ?? 'scheduler'}`;
  });
}

/** Four hosts, one instance on the last but one. The last is disabled. */
const scenario9: TestWorld = {
  hosts: [0, 1, 2, 3].map((index) => ({
    hostname: `h${index}`,
    vcpus: 16,
    memory: 64,
    disk: 250,
    ...(index === 3 ? { status: 'disabled', disabledReason: 'watcher_disabled' } : {}),
  })),
  instances: [0, 0, 0, 1, 2].map((host, index) => ({
    name: `INSTANCE_${index}`,
    host: `h${host}`,
    vcpus: 2,
    memory: 2,
    disk: 20,
  })),
};

describe('host_maintenance', () => {
  it('disables the host and lets Nova place its instances', async () => {
    expect(await plan(scenario1, { maintenance_node: 'hostname_0' })).toEqual([
      'disabled hostname_0',
      'live I0 → scheduler',
      'live I1 → scheduler',
    ]);
  });

  it('names the complete parameters of its actions', async () => {
    const { actions } = await maintain(scenario1, { maintenance_node: 'hostname_1', backup_node: 'hostname_3' });
    expect(actions.map(({ inputParameters }) => inputParameters)).toEqual([
      {
        resource_id: testUuid('hostname_1'),
        resource_name: 'hostname_1',
        state: 'disabled',
        disabled_reason: 'watcher_maintaining',
      },
      {
        resource_id: testUuid('I2'),
        resource_name: 'I2',
        migration_type: 'live',
        source_node: 'hostname_1',
        destination_node: 'hostname_3',
      },
    ]);
  });

  it('names destinations within the scope of the audit, since Nova knows nothing of it', async () => {
    const world: TestWorld = {
      hosts: ['a', 'b', 'c', 'd'].map((hostname) => ({ hostname, aggregates: hostname < 'c' ? ['own'] : ['other'] })),
      instances: [{ name: 'x', host: 'a' }],
    };
    const scope = [{ compute: [{ host_aggregates: [{ name: 'own' }] }] }];
    const { snapshot } = applyScope(createTestWorld(world), scope);
    const { actions } = await runStrategy(hostMaintenanceStrategy, { snapshot, parameters: { maintenance_node: 'a' } });
    expect(movesOf(actions)).toEqual([{ instance: 'x', from: 'a', to: 'b' }]);
    expect(actions[1]?.reason.summary).toContain(
      'to b (b has room); remaining after it: 0 instances. The destination is named: Nova could choose a host outside the scope of the audit.',
    );
    expect(await plan(world, { maintenance_node: 'a' })).toEqual(['disabled a', 'live x → scheduler']);
  });

  it('enables a disabled backup node first and moves everything there', async () => {
    expect(await plan(scenario9, { maintenance_node: 'h2', backup_node: 'h3' })).toEqual([
      'enabled h3',
      'disabled h2',
      'live INSTANCE_4 → h3',
    ]);
  });

  it('leaves the choice to Nova when the backup node is too small, and says so', async () => {
    const world: TestWorld = {
      hosts: [{ hostname: 'a' }, { hostname: 'b', vcpus: 3 }, { hostname: 'c' }],
      instances: ['x', 'y'].map((name) => ({ name, host: 'a', vcpus: 2 })),
    };
    const parameters = { maintenance_node: 'a', backup_node: 'b' };
    expect(await plan(world, parameters)).toEqual(['disabled a', 'live x → scheduler', 'live y → scheduler']);
    const { report } = await maintain(world, parameters);
    expect(report.notes).toEqual(['backup node b cannot take all instances together; Nova chooses the destinations']);
  });

  it.each<[string, JsonObject, string[]]>([
    ['neither', {}, ['live I0 → scheduler', 'live I1 → scheduler']],
    ['live', { disable_live_migration: true }, ['cold I0 → scheduler', 'cold I1 → scheduler']],
    [
      'live and cold',
      { disable_live_migration: true, disable_cold_migration: true },
      [`stop ${testUuid('I0')}`, `stop ${testUuid('I1')}`],
    ],
  ])('with %s migration switched off', async (_, switches, expected) => {
    const actions = await plan(scenario1, { maintenance_node: 'hostname_0', ...switches });
    expect(actions.slice(1)).toEqual(expected);
  });

  it.each<[JsonObject, number, number]>([
    [{}, 5, 3],
    [{ disable_live_migration: true }, 0, 8],
    [{ disable_cold_migration: true }, 5, 0],
    [{ disable_live_migration: true, disable_cold_migration: true }, 0, 0],
  ])('handles five active and three stopped instances with %j', async (switches, live, cold) => {
    const world: TestWorld = {
      hosts: [{ hostname: 'a' }, { hostname: 'b' }],
      instances: Array.from({ length: 8 }, (_, index) => ({
        name: `i${index}`,
        host: 'a',
        state: index < 5 ? ('active' as const) : ('stopped' as const),
      })),
    };
    const actions = await plan(world, { maintenance_node: 'a', ...switches });
    expect(actions.filter((action) => action.startsWith('live'))).toHaveLength(live);
    expect(actions.filter((action) => action.startsWith('cold'))).toHaveLength(cold);
    expect(actions.filter((action) => action.startsWith('stop'))).toHaveLength(live + cold === 0 ? 5 : 0);
  });

  it.each<[string, boolean, boolean, Handling]>([
    ['active without a guest', false, false, 'cold'],
    ['active without a guest', true, true, 'stop'],
    ['active', false, false, 'live'],
    ['active', true, false, 'cold'],
    ['active', false, true, 'live'],
    ['active', true, true, 'stop'],
    ['paused', false, false, 'live'],
    ['paused', true, false, null],
    ['stopped', false, false, 'cold'],
    ['stopped', true, false, 'cold'],
    ['stopped', false, true, null],
    ['stopped', true, true, null],
    ['suspended', false, false, null],
    ['error', false, false, null],
  ])('%s, live disabled %s, cold disabled %s: %s', (state, live, cold, expected) => {
    const powerState = state === 'active' || state === 'paused' ? 1 : 4;
    const vmState = state.replace(' without a guest', '');
    expect(chooseMove({ vmState, powerState, taskState: null }, live, cold)).toBe(expected);
  });

  it('reports instances that cannot leave with the constraint', async () => {
    const world: TestWorld = {
      hosts: [
        { hostname: 'a', vcpus: 32 },
        { hostname: 'b', vcpus: 4 },
        { hostname: 'c', vcpus: 4, status: 'disabled' },
      ],
      instances: [
        { name: 'big', host: 'a', vcpus: 8 },
        { name: 'excluded', host: 'a', excluded: true },
        { name: 'locked', host: 'a', locked: true },
        { name: 'broken', host: 'a', state: 'error' },
        { name: 'fine', host: 'a' },
      ],
    };
    const { actions, report } = await maintain(world, { maintenance_node: 'a' });
    expect(actions.map(({ inputParameters }) => inputParameters.resource_name)).toEqual(['a', 'fine']);
    expect(Object.fromEntries(report.blocked.map(({ constraint, examples }) => [constraint, examples]))).toEqual({
      vcpu: ['big'],
      'instance-excluded': ['excluded'],
      'instance-locked': ['locked'],
      'instance-state': ['broken'],
    });
    expect(report.notes).toEqual(['4 of 5 instances cannot leave the host']);
  });

  it.each([{ state: 'down' as const }, { forcedDown: true }])(
    'moves nothing off a host that is down: %o',
    async (down) => {
      const world: TestWorld = {
        hosts: [{ hostname: 'a', ...down }, { hostname: 'b' }],
        instances: [
          { name: 'x', host: 'a' },
          { name: 'y', host: 'a', state: 'stopped' },
        ],
      };
      const { actions, report } = await maintain(world, { maintenance_node: 'a' });
      expect(actions.map(({ actionType }) => actionType)).toEqual(['change_nova_service_state']);
      expect(report.blocked).toEqual([{ constraint: 'source-down', count: 2, examples: ['x', 'y'] }]);
      expect(report.notes[0]).toBe(
        'a is down: nothing leaves it by migration; once it is fenced, failed_host_evacuation helps',
      );
    },
  );

  it('counts the room that its own moves take', async () => {
    const world: TestWorld = {
      hosts: [{ hostname: 'a' }, { hostname: 'b', vcpus: 3 }],
      instances: ['x', 'y'].map((name) => ({ name, host: 'a', vcpus: 2 })),
    };
    const { actions, report } = await maintain(world, { maintenance_node: 'a' });
    expect(actions).toHaveLength(2);
    expect(report.blocked).toEqual([{ constraint: 'vcpu', count: 1, examples: ['y'] }]);
  });

  it('names hosts with room, and refusals', async () => {
    const { actions } = await maintain(scenario9, { maintenance_node: 'h1' });
    expect(actions[1]?.reason).toMatchObject({
      rule: 'evacuate-host',
      rejected: [{ alternative: 'h3', because: 'host-disabled', others: 0 }],
    });
    expect(actions[1]?.reason.summary).toBe(
      'INSTANCE_3 leaves h1 by live migration where Nova chooses (h2 has room); remaining after it: 0 instances.',
    );
    expect(actions[1]?.reason.values).toContainEqual({
      quantity: 'vcpus_allocated',
      subject: 'h2',
      unit: '',
      before: 2,
      after: 4,
    });
  });

  it('only disables an empty host, and has nothing to do for one in maintenance', async () => {
    const world = (disabledReason?: string): TestWorld => ({
      hosts: [{ hostname: 'a', ...(disabledReason ? { status: 'disabled', disabledReason } : {}) }],
    });
    expect(await plan(world(), { maintenance_node: 'a' })).toEqual(['disabled a']);
    expect(await plan(world('other'), { maintenance_node: 'a' })).toEqual(['disabled a']);
    const { actions, report } = await maintain(world('watcher_maintaining'), { maintenance_node: 'a' });
    expect(actions).toEqual([]);
    expect(report.emptyBecause).toBe('a is already in maintenance and has no instance');
  });

  it.each([
    [{ maintenance_node: 'nowhere' }, 'maintenance_node: there is no compute node nowhere'],
    [{ maintenance_node: 'h0', backup_node: 'nowhere' }, 'backup_node: there is no compute node nowhere'],
    [{ maintenance_node: 'h0', backup_node: 'h0' }, 'backup_node: must differ from maintenance_node'],
  ])('refuses %j', async (parameters, message) => {
    await expect(maintain(scenario9, parameters)).rejects.toThrow(message);
  });

  it('keeps the promises of a strategy', async () => {
    const snapshot = createTestWorld(scenario9);
    await assertWellBehaved(hostMaintenanceStrategy, { snapshot, parameters: { maintenance_node: 'h0' } });
  });
});
