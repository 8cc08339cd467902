import { describe, expect, it } from 'vitest';
import { forcedDownText } from '#libs/domain';
import { createFakeCloud, createTestActionContext, refusal } from '#tests';
import { changeNovaServiceState as action, type ServiceStateInput } from './change-nova-service-state.ts';

function setUp(change: Partial<ServiceStateInput> = {}) {
  const cloud = createFakeCloud({
    hosts: [
      { name: 'a' },
      { name: 'b' },
      { name: 'resting', status: 'disabled', reason: 'watcher_disabled' },
      { name: 'broken', status: 'disabled', reason: 'disk is failing' },
    ],
  });
  const input: ServiceStateInput = { resource_id: 'x', resource_name: 'a', state: 'disabled', ...change };
  return { cloud, context: createTestActionContext(cloud, input) };
}

describe('before', () => {
  it.each([
    [{ resource_name: 'nowhere' }, 'nova-compute service nowhere not found'],
    [{ resource_name: 'resting' }, 'nova-compute service resting is already in state disabled'],
  ])('skips %o', async (change, skip) => {
    expect(await action.preCondition(setUp(change).context)).toEqual({ go: false, skip });
  });

  it('does not change a service that another user disabled, unless the reason is named', async () => {
    const enable: Partial<ServiceStateInput> = { resource_name: 'broken', state: 'enabled' };
    await expect(action.preCondition(setUp(enable).context)).rejects.toThrow(
      'nova-compute service broken was disabled by another user (disk is failing)',
    );
    const named = setUp({ ...enable, disabled_reason: 'disk is failing' });
    expect(await action.preCondition(named.context)).toEqual({ go: true });
  });

  it.each(['watcher_disabled', 'watcher_maintaining', 'Watcher node resource consolidation strategy'])(
    'enables a service that was disabled as %s',
    async (reason) => {
      const cloud = createFakeCloud({ hosts: [{ name: 'freed', status: 'disabled', reason }] });
      const input: ServiceStateInput = { resource_id: 'x', resource_name: 'freed', state: 'enabled' };
      expect(await action.preCondition(createTestActionContext(cloud, input))).toEqual({ go: true });
    },
  );

  it.each([
    [[{ name: 'b', zone: 'other' }], [], 'a is the last enabled host of zone nova'],
    [[{ name: 'b', status: 'disabled' as const }], [], 'a is the last enabled host of zone nova'],
    [[{ name: 'b', state: 'down' as const }], [], 'a is the last enabled host of zone nova'],
    [[{ name: 'b' }], [{ name: 'gpu', hosts: ['a'] }], 'a is the last enabled host of aggregate gpu'],
  ])('never disables the last enabled host: %o %o', async (others, aggregates, message) => {
    const cloud = createFakeCloud({ hosts: [{ name: 'a' }, ...others], aggregates });
    const input: ServiceStateInput = { resource_id: 'x', resource_name: 'a', state: 'disabled' };
    const refused = { code: 'safety_rail', rail: 'last_enabled_host', message };
    await expect(action.preCondition(createTestActionContext(cloud, input))).rejects.toMatchObject(refused);
    await expect(action.execute(createTestActionContext(cloud, input))).rejects.toMatchObject(refused);
    expect(cloud.mutations).toEqual([]);
  });

  it('disables one of several, and one that is down', async () => {
    const cloud = createFakeCloud({
      hosts: [{ name: 'a' }, { name: 'b' }, { name: 'dead', zone: 'far', state: 'down' }],
      aggregates: [{ name: 'gpu', hosts: ['a', 'b'] }],
    });
    for (const resource_name of ['a', 'dead']) {
      const context = createTestActionContext<ServiceStateInput>(cloud, {
        resource_id: 'x',
        resource_name,
        state: 'disabled',
      });
      expect(await action.preCondition(context)).toEqual({ go: true });
    }
  });

  it('never claims to have enabled a host that is forced down', async () => {
    const cloud = createFakeCloud({
      hosts: [{ name: 'a', status: 'disabled', reason: 'watcher_maintaining', forcedDown: true }, { name: 'b' }],
    });
    const input: ServiceStateInput = { resource_id: 'x', resource_name: 'a', state: 'enabled' };
    await expect(action.preCondition(createTestActionContext(cloud, input))).rejects.toThrow(forcedDownText('a'));
    expect(cloud.mutations).toEqual([]);
    expect(cloud.forceUp('a')).toBeNull();
    expect(await action.preCondition(createTestActionContext(cloud, input))).toEqual({ go: true });
  });

  it('takes the resource id for the host when no name is given', async () => {
    const { context } = setUp({ resource_name: undefined, resource_id: 'resting', state: 'enabled' });
    expect(await action.preCondition(context)).toEqual({ go: true });
  });
});

describe('execute', () => {
  it('disables with the reason', async () => {
    const { cloud, context } = setUp({ disabled_reason: 'watcher_maintaining' });
    expect(await action.execute(context)).toBe(true);
    expect(cloud.hosts.get('a')).toMatchObject({ status: 'disabled', reason: 'watcher_maintaining' });
  });

  it('refuses up and down', async () => {
    await expect(action.execute(setUp({ state: 'up' }).context)).rejects.toThrow('The target state is not defined');
  });

  it('sends one request when the response is lost', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'setServiceStatus', when: 'after', error: refusal(0, 'reset', true) });
    expect(await action.execute(context)).toBe(true);
    expect(cloud.mutations).toHaveLength(1);
  });

  it('fails without a service', async () => {
    expect(await action.execute(setUp({ resource_name: 'nowhere' }).context)).toBe(false);
  });
});

it('is probed by the status of the service', async () => {
  const { cloud, context } = setUp();
  expect(await action.probe(context)).toBe('not_started');
  cloud.fail({ call: 'setServiceStatus', when: 'after', error: new Error('killed') });
  await expect(action.execute(context)).rejects.toThrow('killed');
  expect(await action.probe(context)).toBe('applied');
});

describe('revert', () => {
  it('restores status and reason', async () => {
    const { cloud, context } = setUp({ resource_name: 'resting', state: 'enabled' });
    await action.execute(context);
    expect(cloud.hosts.get('resting')).toMatchObject({ status: 'enabled', reason: null });
    expect(await action.revert(context)).toBe(true);
    expect(cloud.hosts.get('resting')).toMatchObject({ status: 'disabled', reason: 'watcher_disabled' });
  });

  it('enables a host that was forced down since, and reports that it takes nothing yet', async () => {
    const { cloud, context } = setUp();
    await action.execute(context);
    Object.assign(cloud.hosts.get('a') ?? {}, { forcedDown: true });
    await expect(action.revert(context)).rejects.toThrow(forcedDownText('a'));
    expect(cloud.hosts.get('a')).toMatchObject({ status: 'enabled' });
    await expect(action.revert(context)).rejects.toThrow(forcedDownText('a'));
    expect(cloud.forceUp('a')).toBeNull();
    expect(await action.revert(context)).toBe(true);
  });

  it('restores a host that was forced down before', async () => {
    const { cloud, context } = setUp();
    Object.assign(cloud.hosts.get('a') ?? {}, { state: 'down', forcedDown: true });
    await action.execute(context);
    expect(await action.revert(context)).toBe(true);
    expect(cloud.hosts.get('a')).toMatchObject({ status: 'enabled', forcedDown: true });
  });

  it('does nothing when nothing was done', async () => {
    const { cloud, context } = setUp();
    expect(await action.revert(context)).toBe(true);
    expect(cloud.mutations).toEqual([]);
  });
});
