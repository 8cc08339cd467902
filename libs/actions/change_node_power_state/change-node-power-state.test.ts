import { describe, expect, it } from 'vitest';
import { createFakeCloud, createTestActionContext, refusal } from '#tests';
import { changeNodePowerState as action } from './change-node-power-state.ts';
import type { PowerStateInput } from './compute-host.ts';

const server = '11111111-2222-4333-8444-555555555555';

function setUp(change: Partial<PowerStateInput> = {}, servers: { status?: string }[] = []) {
  const cloud = createFakeCloud({
    hosts: [{ name: 'a', status: 'disabled', reason: 'watcher_disabled' }, { name: 'b' }],
    servers: servers.map((one) => ({ uuid: server, host: 'a', ...one })),
    nodes: [
      { uuid: 'n-a', computeNodeId: 'hypervisor-a' },
      { uuid: 'n-b', computeNodeId: 'hypervisor-b' },
      { uuid: 'n-off', powerState: 'power off', computeNodeId: 'hypervisor-b' },
      { uuid: 'n-ill', maintenance: true, maintenanceReason: 'fan' },
      { uuid: 'n-bare' },
    ],
  });
  return { cloud, context: createTestActionContext(cloud, { resource_id: 'n-a', state: 'off' as const, ...change }) };
}

const calls = (cloud: ReturnType<typeof createFakeCloud>) => cloud.mutations.map((one) => one.argument);

describe('before', () => {
  it('passes for an empty host with a disabled service, and for power on', async () => {
    expect(await action.preCondition(setUp().context)).toEqual({ go: true });
    expect(await action.preCondition(setUp({ resource_id: 'n-off', state: 'on' }).context)).toEqual({ go: true });
    const away = setUp({}, [{ status: 'SHELVED_OFFLOADED' }]);
    expect(await action.preCondition(away.context)).toEqual({ go: true });
    expect(await action.preCondition(setUp({ resource_id: 'n-bare', resource_name: 'a' }).context)).toEqual({
      go: true,
    });
  });

  it('skips a node that is so already', async () => {
    expect(await action.preCondition(setUp({ resource_id: 'n-off' }).context)).toEqual({
      go: false,
      skip: 'Bare metal node n-off is already powered off',
    });
  });

  it.each([
    ['n-gone', [], 'action_failed', 'Bare metal node n-gone not found'],
    ['n-ill', [], 'action_failed', 'Node n-ill is in maintenance: fan'],
    ['n-b', [], 'safety_rail', 'nova-compute service b is enabled, so it cannot be powered off'],
    ['n-bare', [], 'safety_rail', 'Node n-bare does not report its compute host'],
    ['n-a', [{ status: 'SHUTOFF' }], 'safety_rail', 'Compute host a has 1 servers'],
  ])('fails for %s with %o', async (node, servers, code, message) => {
    await expect(action.preCondition(setUp({ resource_id: node }, servers).context)).rejects.toMatchObject({
      code,
      message,
    });
  });

  it('ignores servers that are shut off when that is configured', async () => {
    const { context } = setUp({}, [{ status: 'SHUTOFF' }]);
    context.options = { ...context.options, powerOffIgnoresShutoff: true };
    expect(await action.preCondition(context)).toEqual({ go: true });
  });
});

describe('execute', () => {
  it('waits for the very state, with one request', async () => {
    const { cloud, context } = setUp();
    expect(await action.execute(context)).toBe(true);
    expect(cloud.nodes.get('n-a')).toMatchObject({ powerState: 'power off', targetPowerState: null });
    expect(calls(cloud)).toEqual(['power off']);
    expect(context.trail).toEqual(['intent', 'guard', 'result']);
  });

  it('checks the host again right before the request', async () => {
    const { cloud, context } = setUp();
    cloud.servers.set(server, {
      uuid: server,
      host: 'a',
      status: 'ACTIVE',
      taskState: null,
      fault: null,
      locked: false,
      flavor: 'small',
    });
    await expect(action.execute(context)).rejects.toMatchObject({ rail: 'host_not_empty' });
    expect(cloud.mutations).toEqual([]);
  });

  it("fails with Ironic's error, but not for an old one", async () => {
    const { cloud, context } = setUp();
    const node = cloud.nodes.get('n-a');
    if (!node) throw new Error('no node');
    node.lastError = 'something of last week';
    expect(await action.execute(context)).toBe(true);
    Object.assign(node, { powerState: 'power on', failure: 'no answer from the controller' });
    const again = createTestActionContext(cloud, context.input);
    await expect(action.execute(again)).rejects.toThrow('Node n-a reports an error: no answer from the controller');
  });

  it('fails when the node gets into maintenance', async () => {
    const { cloud, context } = setUp();
    cloud.onCall((call) => {
      const node = cloud.nodes.get('n-a');
      if (call === 'setPowerState' && node) node.maintenance = true;
    });
    await expect(action.execute(context)).rejects.toThrow('Node n-a is in maintenance');
  });

  it('repeats the request while the node is locked, but sends it once when the response is lost', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'setPowerState', when: 'before', error: refusal(409, 'Node n-a is locked'), times: 2 });
    expect(await action.execute(context)).toBe(true);
    expect(context.trail.filter((step) => step === 'guard')).toHaveLength(3);
    const lost = setUp();
    lost.cloud.fail({ call: 'setPowerState', when: 'after', error: refusal(0, 'reset', true) });
    expect(await action.execute(lost.context)).toBe(true);
    expect(calls(lost.cloud)).toEqual(['power off']);
  });
});

it('is probed by power state and target', async () => {
  const { cloud, context } = setUp();
  expect(await action.probe(context)).toBe('not_started');
  cloud.fail({ call: 'setPowerState', when: 'after', error: new Error('killed') });
  await expect(action.execute(context)).rejects.toThrow('killed');
  expect(await action.probe(context.again())).toBe('in_progress');
  expect(await action.waitFor(context.again())).toBe(true);
  expect(await action.probe(context.again())).toBe('applied');
  expect(calls(cloud)).toEqual(['power off']);
});

it('does not repeat an accepted request that failed with the text of a former error', async () => {
  const { cloud, context } = setUp();
  const node = cloud.nodes.get('n-a');
  if (!node) throw new Error('no node');
  node.lastError = 'no answer from the controller';
  const former_error = node.lastError;
  await context.journal.intent({ forward: { power: 'off', former_power_state: 'power on', former_error, sends: 1 } });
  await context.journal.result({ forward: { accepted: true, sends: 1 } });

  expect(await action.probe(context.again())).toBe('failed');
  await expect(action.waitFor(context.again())).rejects.toThrow(
    'Node n-a is in power state power on instead of power off',
  );
  expect(calls(cloud)).toEqual([]);
});

it('does not repeat a request whose response was lost and that failed immediately with the text of a former error', async () => {
  const { cloud, context } = setUp();
  const node = cloud.nodes.get('n-a');
  if (!node) throw new Error('no node');
  Object.assign(node, { lastError: 'no answer from the controller', failure: 'no answer from the controller' });
  cloud.fail({ call: 'setPowerState', when: 'after', error: new Error('killed') });
  await expect(action.execute(context)).rejects.toThrow('killed');
  for (let read = 0; read < 4; read += 1) await cloud.baremetal.getNode('n-a');

  expect(await action.probe(context.again())).toBe('failed');
  await expect(action.waitFor(context.again())).rejects.toThrow('reports an error: no answer from the controller');
  expect(calls(cloud)).toEqual(['power off']);
});

it('does not repeat the rollback either', async () => {
  const { cloud, context } = setUp();
  await action.execute(context);
  const node = cloud.nodes.get('n-a');
  if (!node) throw new Error('no node');
  node.lastError = 'no answer from the controller';
  const backward = { power: 'on', former_power_state: 'power off', former_error: node.lastError, sends: 1 };
  await context.journal.intent({ backward });
  await context.journal.result({ backward: { accepted: true, sends: 1 } });

  await expect(action.revert(context.again())).rejects.toThrow(
    'Node n-a is in power state power off instead of power on',
  );
  expect(calls(cloud)).toEqual(['power off']);
});

it('waits after power on until the compute service reports, and continues without it', async () => {
  const { cloud, context } = setUp({ resource_id: 'n-off', state: 'on' });
  const host = cloud.hosts.get('b');
  if (!host) throw new Error('no host');
  host.state = 'down';
  let reads = 0;
  cloud.onCall((call) => {
    if (call === 'listServices' && ++reads === 5) host.state = 'up';
  });
  expect(await action.execute(context)).toBe(true);
  expect([reads, host.state]).toEqual([5, 'up']);

  const silent = setUp({ resource_id: 'n-off', state: 'on' });
  Object.assign(silent.cloud.hosts.get('b') ?? {}, { state: 'down' });
  expect(await action.execute(silent.context)).toBe(true);
});

it('is reverted by the opposite, under the same rails', async () => {
  const { cloud, context } = setUp();
  await action.execute(context);
  expect(await action.revert(context.again())).toBe(true);
  expect(calls(cloud)).toEqual(['power off', 'power on']);

  const on = setUp({ resource_id: 'n-off', state: 'on' });
  await action.execute(on.context);
  await expect(action.revert(on.context.again())).rejects.toMatchObject({ rail: 'service_enabled' });
});
