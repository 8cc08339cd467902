import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { createFakeCloud, createTestActionContext, type FakeCloud } from '#tests';
import { createActionRegistry } from './action-registry.ts';
import { actionCatalogue } from './catalogue.ts';
import { effectOf } from './effect-of.ts';
import { type DoneAction, inputOfRevert, planRollback } from './plan-rollback.ts';
import type { RevertInput } from './revert.ts';

const registry = createActionRegistry(actionCatalogue);
const revert = registry.get('revert');
const id = '11111111-2222-4333-8444-555555555555';
const volumeId = '22222222-2222-4333-8444-555555555555';
const [one, two] = ['a@lvm#one', 'a@lvm#two'];

function makeCloud(): FakeCloud {
  return createFakeCloud({
    hosts: [{ name: 'a' }, { name: 'b' }, { name: 'off', status: 'disabled', reason: 'watcher_disabled' }],
    servers: [{ uuid: id, host: 'a' }],
    volumes: [{ uuid: volumeId, volumeType: 'plain', host: one }],
    types: [{ id: '1', name: 'plain', extraSpecs: {} }],
    nodes: [{ uuid: 'n-off', powerState: 'power off', computeNodeId: 'hypervisor-off' }],
  });
}

const specs: Record<string, JsonObject> = {
  migrate: { migration_type: 'live', resource_id: id, source_node: 'a', destination_node: 'b' },
  resize: { resource_id: id, flavor: 'large' },
  stop: { resource_id: id },
  change_nova_service_state: { resource_id: 'off', state: 'enabled' },
  change_node_power_state: { resource_id: 'n-off', resource_name: 'off', state: 'on' },
  volume_migrate: { resource_id: volumeId, migration_type: 'migrate', destination_node: two },
};

/** Executes an action. Returns the context of its revert, as long after as the test likes. */
async function executed(type: string, cloud = makeCloud()) {
  const inputParameters = specs[type] ?? {};
  const context = createTestActionContext(cloud, inputParameters);
  expect(await registry.get(type).execute(context)).toBe(true);
  const done: DoneAction = {
    uuid: '4e2d7a53-98a6-4d45-8f51-1d6d7f6c0001',
    actionType: type,
    inputParameters,
    parents: [],
    state: 'SUCCEEDED',
    rollbackState: null,
    journal: context.journal.current(),
    isUndone: false,
  };
  const input = inputOfRevert(done);
  registry.validate('revert', input);
  const before = cloud.mutations.length;
  return {
    cloud,
    done,
    context: createTestActionContext(cloud, input as RevertInput),
    mutations: () => cloud.mutations.slice(before).map(({ call, argument }) => `${call} ${argument}`),
  };
}

describe('undoes', () => {
  it.each<[string, string[], string]>([
    ['migrate', ['liveMigrate a'], `Moves instance ${id} back to a`],
    ['resize', ['resizeServer 1', 'confirmResize null'], `Gives instance ${id} flavor small again`],
    ['stop', ['startServer null'], `Starts instance ${id} again`],
    ['change_nova_service_state', ['setServiceStatus disabled'], 'Disables the nova-compute service of off again'],
    ['volume_migrate', [`migrateVolume ${one}`], `Moves volume ${volumeId} back to ${one}`],
  ])('%s', async (type, mutations, summary) => {
    const { context, done, ...seen } = await executed(type);
    expect(await revert.preCondition(context)).toEqual({ go: true });
    expect(await revert.execute(context)).toBe(true);
    expect(seen.mutations()).toEqual(mutations);
    const [step] = planRollback([done], { plugins: actionCatalogue, revertibleOf: () => 'exact' });
    expect(step).toMatchObject({ summary, verdict: 'exact', waitsFor: [], stage: 1 });
    // A successor waits for the sent requests, and sends none twice.
    expect(await revert.probe(context)).toBe('in_progress');
    expect(await revert.waitFor(context.again())).toBe(true);
    expect(seen.mutations()).toEqual(mutations);
  });

  it('power on again only on an empty, disabled host', async () => {
    const { context, cloud, mutations } = await executed('change_node_power_state');
    expect(await revert.preCondition(context)).toEqual({ go: true });
    cloud.servers.set(id, { ...(cloud.servers.get(id) ?? never()), host: 'off' });
    await expect(revert.preCondition(context)).rejects.toMatchObject({ rail: 'host_not_empty' });
    await expect(revert.execute(context)).rejects.toMatchObject({ rail: 'host_not_empty' });
    expect(mutations()).toEqual([]);
  });
});

describe("does not change an object that differs from the action's result", () => {
  it.each<[string, (cloud: FakeCloud) => void, string]>([
    [
      'migrate',
      (cloud) => change(cloud, { host: 'off' }),
      `Instance ${id} is on off, not on b where the action plan put it`,
    ],
    ['migrate', (cloud) => change(cloud, { host: 'a' }), `Instance ${id} is on a already`],
    ['migrate', (cloud) => cloud.servers.clear(), `Instance ${id} not found`],
    ['resize', (cloud) => change(cloud, { flavor: 'small' }), `Instance ${id} has flavor small, not large`],
    [
      'stop',
      (cloud) => change(cloud, { vmState: 'active', status: 'ACTIVE' }),
      `Instance ${id} is active, not stopped`,
    ],
    [
      'change_nova_service_state',
      (cloud) => Object.assign(cloud.hosts.get('off') ?? {}, { status: 'disabled' }),
      'nova-compute service off is disabled, not enabled',
    ],
    [
      'volume_migrate',
      (cloud) => Object.assign(cloud.volumes.get(volumeId) ?? {}, { host: 'z' }),
      `Volume ${volumeId} is on z, not on ${two}`,
    ],
  ])('%s', async (type, meddle, skip) => {
    const { context, cloud } = await executed(type);
    meddle(cloud);
    expect(await revert.preCondition(context)).toEqual({ go: false, skip });
  });

  it.each<[string, (cloud: FakeCloud) => void, RegExp]>([
    ['migrate', (cloud) => change(cloud, { locked: true }), /is locked/],
    [
      'migrate',
      (cloud) => Object.assign(cloud.hosts.get('a') ?? {}, { status: 'disabled' }),
      /a is not in enabled state/,
    ],
    ['resize', (cloud) => change(cloud, { status: 'ERROR' }), /ERROR/],
  ])('%s, as a failure that needs an operator', async (type, meddle, reason) => {
    const { context, cloud } = await executed(type);
    meddle(cloud);
    await expect(revert.preCondition(context)).rejects.toThrow(reason);
  });

  it('a service that is the last enabled one is not disabled again', async () => {
    const { context, cloud, mutations } = await executed('change_nova_service_state');
    for (const name of ['a', 'b']) Object.assign(cloud.hosts.get(name) ?? {}, { status: 'disabled' });
    await expect(revert.execute(context)).rejects.toMatchObject({ rail: 'last_enabled_host' });
    expect(mutations()).toEqual([]);
  });
});

it('refuses types that cannot be undone, wrong inputs and unknown types', async () => {
  const inputOf = (action_type: string, input_parameters: JsonObject): RevertInput => ({
    action_uuid: id,
    action_type,
    input_parameters,
    journal: { intent: {}, result: null },
  });
  const check = (input: RevertInput) => revert.preCondition(createTestActionContext(makeCloud(), input));
  await expect(check(inputOf('nop', { message: 'm' }))).rejects.toThrow('Actions of type nop cannot be undone');
  await expect(check(inputOf('migrate', {}))).rejects.toThrow('ValidationError');
  await expect(check(inputOf('teleport', {}))).rejects.toThrow('LoadingError');
});

it('is reported to models as its effect', async () => {
  const effects = (type: string) =>
    effectOf({
      actionType: 'revert',
      inputParameters: { action_uuid: id, action_type: type, input_parameters: specs[type] ?? {} },
    });
  expect(effects('migrate')).toMatchObject({
    actionType: 'migrate',
    inputParameters: { resource_id: id, source_node: 'b', destination_node: 'a' },
  });
  expect(effects('change_nova_service_state').inputParameters).toMatchObject({ state: 'disabled' });
  const plain = { actionType: 'stop', inputParameters: specs.stop ?? {} };
  expect(effectOf(plain)).toEqual(plain);
});

describe('the order', () => {
  const action = (uuid: string, parents: string[], more: Partial<DoneAction> = {}): DoneAction => ({
    uuid,
    actionType: 'stop',
    inputParameters: { resource_id: uuid },
    parents,
    state: 'SUCCEEDED',
    rollbackState: null,
    journal: null,
    isUndone: false,
    ...more,
  });
  const types = { plugins: actionCatalogue, revertibleOf: () => 'exact' as const };

  it('is that of the reversed plan, without implied dependencies', () => {
    const steps = planRollback(
      [action('1', []), action('2', ['1']), action('3', ['1']), action('4', ['1', '2', '3'])],
      types,
    );
    expect(steps.map(({ action: { uuid }, stage, waitsFor }) => [uuid, stage, waitsFor?.toSorted()])).toEqual([
      ['4', 1, []],
      ['2', 2, ['4']],
      ['3', 2, ['4']],
      ['1', 3, ['2', '3']],
    ]);
  });

  it('also orders actions that are not undone: failed before their request, undone already, or never run', () => {
    const requested = { intent: { forward: {} }, result: null };
    const steps = planRollback(
      [
        action('1', []),
        action('2', ['1'], { isUndone: true }),
        action('3', ['2'], { state: 'FAILED', journal: { intent: { began_ms: 1 }, result: null } }),
        action('4', ['3'], { state: 'FAILED', journal: requested }),
        action('5', ['4'], { state: 'CANCELLED', journal: requested }),
      ],
      types,
    );
    expect(steps.map(({ action: { uuid }, stage, waitsFor }) => [uuid, stage, waitsFor])).toEqual([
      ['4', 1, []],
      ['1', 2, ['4']],
      ['2', null, null],
    ]);
    expect(steps[0]?.summary).toMatch(/, if it took effect$/);
  });
});

function change(cloud: FakeCloud, changes: object): void {
  Object.assign(cloud.servers.get(id) ?? never(), changes);
}

function never(): never {
  throw new Error('no such server');
}
