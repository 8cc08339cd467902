import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { actionCatalogue, createActionRegistry } from '#libs/actions';
import type { JsonObject } from '#libs/domain';
import type { ActionPlugin } from '#libs/plugin-kit';
import type { RunnerDeps } from '../plan-runner/runner-deps.ts';
import { type ActionSpec, moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';
import { nodeId, otherPool, useAuthorityBench, volumeId } from '../testing/authority-bench.ts';
import { never } from '../testing/killable.ts';
import type { PlanGrant } from './plan-authority.ts';

const bench = await useApplierBench();
const world = await useAuthorityBench();
const { servers } = world.simulation.state;

const runner = (deps: Partial<RunnerDeps> = {}) =>
  bench.runner({ cloud: world.cloud, deps: { planAuthority: world.authority(bench.store), ...deps } });

const server = (number: number, input: JsonObject = {}) => ({ resource_id: serverId(number), ...input });
const disable = (host: string) => ({ resource_id: host, resource_name: host, state: 'disabled' });

/** Parameters of an action of each type, on things that no other case uses. */
const cases: [type: string, input: JsonObject, before: ActionSpec[]][] = [
  [
    'change_node_power_state',
    { resource_id: nodeId, resource_name: 'compute-4', state: 'off' },
    [{ type: 'change_nova_service_state', input: disable('compute-4') }],
  ],
  ['evacuate', server(1, { source_node: 'compute-5', destination_node: 'compute-2', fenced_by: 'operator' }), []],
  ['migrate', moveSpec(2, 'compute-1', 'compute-2').input as JsonObject, []],
  ['migrate', moveSpec(3, 'compute-1', 'compute-2', { cold: true }).input as JsonObject, []],
  ['resize', server(4, { flavor: 'large' }), []],
  ['stop', server(5), []],
  ['delete', server(6), []],
  ['shelve', server(7), []],
  ['change_nova_service_state', disable('compute-3'), []],
  ['volume_migrate', { resource_id: volumeId, migration_type: 'migrate', destination_node: otherPool }, []],
  ['nop', { message: 'hello' }, []],
  ['sleep', { duration: 1 }, []],
];

describe('a plan with a separate credential', () => {
  it('has a case for each built-in type', () => {
    expect(new Set(cases.map(([type]) => type))).toEqual(new Set(actionCatalogue.map(({ name }) => name)));
  });

  it.each(cases)('executes %s %o, and undoes it as far as it can', async (type, input, before) => {
    const failing: ActionSpec = {
      type: 'nop',
      input: { message: 'end', fail_execute: true },
      after: [before.length],
    };
    const specs: ActionSpec[] = [...before, { type, input, after: before.map((_, place) => place) }, failing];
    const plan = await bench.plan(specs, { onFailure: 'rollback' });
    const end = await bench.run(runner(), plan);
    expect(end.messages.slice(0, -1).filter((message) => message !== null)).toEqual([]);
    expect(end.actions).toEqual([...specs.slice(1).map(() => 'SUCCEEDED'), 'FAILED']);
    const { revertible } = actionCatalogue.find(({ name }) => name === type) ?? {};
    expect(end.rollbacks[before.length]).toBe(revertible === 'impossible' ? 'NOT_SUPPORTED' : 'SUCCEEDED');
    expect(world.names()).toEqual([]);
    expect(world.writeRules()).toEqual([]);
  });
});

/** An action type of a plugin that does more than it declares, or declares nothing. */
function overreach(change: Partial<ActionPlugin>): Partial<RunnerDeps> {
  const nop = actionCatalogue.find(({ name }) => name === 'nop') as ActionPlugin;
  const { access: _access, ...rest } = nop;
  return { actions: createActionRegistry([...actionCatalogue, { ...rest, name: 'overreach', ...change }]) };
}

describe('a request outside of the plan', () => {
  it.each<[string, ActionPlugin['execute']]>([
    ['DELETE /servers/', ({ cloud }) => cloud.compute.deleteServer(serverId(9)).then(() => true)],
    ['POST /servers/', ({ cloud }) => cloud.compute.liveMigrate(serverId(9), 'compute-2').then(() => true)],
    ['POST /volumes/', ({ cloud }) => cloud.volume.migrateVolume(volumeId, otherPool).then(() => true)],
  ])('%s is refused, which is the reason of the action', async (request, execute) => {
    const plan = await bench.plan([moveSpec(8, 'compute-1', 'compute-2'), { type: 'overreach', after: [0] }]);
    const deps = overreach({ execute, access: async () => [{ service: 'block-storage', method: 'GET', path: '/x' }] });
    const end = await bench.run(runner(deps), plan);
    expect(end.actions[1]).toBe('FAILED');
    expect(end.messages[1]).toContain(`the application credential does not allow ${request}`);
    expect(servers.get(serverId(9))?.host?.name).toBe('compute-1');
    expect(world.names()).toEqual([]);
  });
});

describe('a plan that gets no credential', () => {
  it('for a type that declares no requests fails before its start, with the reason', async () => {
    const plan = await bench.plan([moveSpec(10, 'compute-1', 'compute-2'), { type: 'overreach', after: [0] }]);
    const end = await bench.run(runner(overreach({})), plan);
    expect(end).toMatchObject({ state: 'FAILED', actions: ['CANCELLED', 'CANCELLED'] });
    expect(end.message).toBe(
      'Not started: the plan gets no credential: action type overreach does not declare the requests ' +
        'that it sends (access)',
    );
    expect(servers.get(serverId(10))?.host?.name).toBe('compute-1');
  });

  it('since its standing credentials have no such role', async () => {
    const plan = await bench.plan([moveSpec(10, 'compute-1', 'compute-2')]);
    const { directory } = world.simulation;
    const user = directory.userByName('vigil');
    const roles = new Map(user?.roles);
    user?.roles.set(user.defaultProjectId, ['member']);
    world.simulation.tokens.revokeAll();
    try {
      const end = await bench.run(runner(), plan);
      expect(end).toMatchObject({ state: 'FAILED', actions: ['CANCELLED'] });
      expect(end.message).toMatch(/^Not started: .*Could not find role assignment with role: admin/);
    } finally {
      for (const [project, names] of roles) user?.roles.set(project, names);
      world.simulation.tokens.revokeAll();
    }
  });

  it('while Keystone is unavailable waits, and continues later', async () => {
    const plan = await bench.plan([moveSpec(11, 'compute-1', 'compute-2')]);
    const { faults } = world.simulation;
    const fault = faults.add({
      kind: 'error',
      status: 503,
      match: { service: 'identity', method: 'POST', path: 'application_credentials' },
    });
    const held = await bench.run(runner(), plan);
    expect(held).toMatchObject({ state: 'ONGOING', actions: ['PENDING'] });
    expect(held.message).toMatch(/^Waiting for the plan's own credential: /);
    faults.remove(fault.id);
    await bench.store.db.actionPlans.update(plan.uuid, { holdUntil: null });
    const end = await bench.run(runner(), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'SUCCEEDED', message: null });
  });
});

describe('after the death of an applier', () => {
  const nameOf = async ({ uuid }: { uuid: string }) =>
    `vigil-plan-${uuid}-${(await bench.store.db.actionPlans.get(uuid)).fence}`;

  /** A plan whose applier died while its action ran. */
  async function abandoned(number: number) {
    const plan = await bench.plan([moveSpec(number, 'compute-1', 'compute-2')]);
    let died: () => void = () => undefined;
    const death = new Promise<void>((resolve) => {
      died = resolve;
    });
    const victim = bench.runner({
      cloud: world.cloud,
      deps: { planAuthority: world.authority(bench.store) },
      async racePoint(point) {
        if (point !== 'after-send') return;
        died();
        await never();
      },
    });
    await bench.start(victim, plan);
    await death;
    return { plan, name: await nameOf(plan) };
  }

  it('its successor deletes the credential, whose tokens end, and has another one', async () => {
    const { plan, name: former } = await abandoned(12);
    expect(world.names()).toEqual([former]);
    const created: string[] = [];
    const authority = world.authority(bench.store);
    const planAuthority = {
      ...authority,
      async open(grant: PlanGrant) {
        const granted = await authority.open(grant);
        created.push(...world.names());
        return granted;
      },
    };
    await bench.expireLease(plan);
    const end = await bench.run(runner({ planAuthority }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED'] });
    expect(created).toHaveLength(1);
    expect(created[0]).not.toBe(former);
    expect(world.names()).toEqual([]);
    expect(servers.get(serverId(12))?.host?.name).toBe('compute-2');
  });

  it('the sweep deletes the credential once the lease is over, and nothing else', async () => {
    const { plan, name } = await abandoned(13);
    const foreign = ['backup', `vigil-plan-${randomUUID()}-1`];
    for (const other of foreign) {
      const access = [{ service: 'compute', method: 'GET', path: '/servers' }] as const;
      const expiresAt = new Date(Date.now() + 60_000);
      await world.credentials.create({ name: other, description: '', roles: [], expiresAt, access });
    }
    const { sweep } = world.authority(bench.store);
    await sweep(AbortSignal.timeout(30_000));
    expect(new Set(world.names())).toEqual(new Set([name, ...foreign]));
    await bench.expireLease(plan);
    await sweep(AbortSignal.timeout(30_000));
    expect(new Set(world.names())).toEqual(new Set(foreign));
  });
});
