import { describe, expect, it } from 'vitest';
import { forcedDownText } from '#libs/domain';
import { createFakeCloud, createTestActionContext, refusal } from '#tests';
import { evacuate } from './evacuate.ts';
import type { EvacuateInput } from './evacuation-trace.ts';

const id = '11111111-2222-4333-8444-555555555555';

function setUp(
  change: Partial<EvacuateInput> = {},
  server: { status?: string; host?: string; locked?: boolean; taskState?: string } = {},
) {
  const cloud = createFakeCloud({
    hosts: [
      { name: 'dead', state: 'down' },
      { name: 'fenced', state: 'down', forcedDown: true },
      { name: 'lost', forcedDown: true },
      { name: 'a' },
      { name: 'b' },
      { name: 'off', status: 'disabled', reason: 'watcher_disabled' },
    ],
    servers: [{ uuid: id, host: 'fenced', ...server }],
  });
  const input: EvacuateInput = {
    resource_id: id,
    source_node: 'fenced',
    fenced_by: 'forced_down',
    destination_node: 'b',
    ...change,
  };
  return { cloud, context: createTestActionContext(cloud, input) };
}

const calls = (cloud: ReturnType<typeof createFakeCloud>) => cloud.mutations.map((one) => one.call);

describe('before', () => {
  it.each([
    ['forced down', {}, {}],
    ['that an operator has fenced', { source_node: 'dead', fenced_by: 'operator' }, { host: 'dead' }],
    ['with an instance in error', {}, { status: 'ERROR' }],
    ['with a stopped instance', {}, { status: 'SHUTOFF' }],
  ] as const)('continues for a source %s', async (_, change, server) => {
    expect(await evacuate.preCondition(setUp(change, server).context)).toEqual({ go: true });
  });

  it.each([
    [
      { resource_id: '99999999-2222-4333-8444-555555555555' },
      {},
      'Instance 99999999-2222-4333-8444-555555555555 not found',
    ],
    [{}, { host: 'a' }, `Instance ${id} is no longer on fenced (on a)`],
    [
      { source_node: 'a', fenced_by: 'operator' as const },
      { host: 'a' },
      'a is up again: its instances are not evacuated',
    ],
  ])('skips %o %o', async (change, server, skip) => {
    expect(await evacuate.preCondition(setUp(change, server).context)).toEqual({ go: false, skip });
  });

  it('never starts anything anew that a silent host may still run', async () => {
    const { context } = setUp({ source_node: 'dead' }, { host: 'dead' });
    await expect(evacuate.preCondition(context)).rejects.toMatchObject({
      code: 'safety_rail',
      rail: 'host_not_fenced',
    });
    const requested = setUp({ source_node: 'dead' }, { host: 'dead' });
    await expect(evacuate.execute(requested.context)).rejects.toMatchObject({ code: 'safety_rail' });
    expect(requested.cloud.mutations).toEqual([]);
  });

  it.each([
    [{}, { locked: true }, `Instance ${id} is locked`],
    [{}, { status: 'PAUSED' }, 'vm_state paused'],
    [{}, { taskState: 'migrating' }, 'task migrating'],
    [{ destination_node: 'off' }, {}, 'Destination node off is not in enabled state'],
    [{ destination_node: 'dead' }, {}, /^Destination node dead is down$/],
    [{ destination_node: 'lost' }, {}, `Destination node lost is down: ${forcedDownText('lost')}`],
  ])('fails for %o %o', async (change, server, message) => {
    await expect(evacuate.preCondition(setUp(change, server).context)).rejects.toThrow(message);
  });
});

describe('evacuation', () => {
  it.each([
    ['ACTIVE', 'ACTIVE'],
    ['SHUTOFF', 'SHUTOFF'],
    ['ERROR', 'ACTIVE'],
  ])('brings an instance that is %s up elsewhere, with one request, journalled before', async (before, after) => {
    const { cloud, context } = setUp({}, { status: before });
    expect(await evacuate.execute(context)).toBe(true);
    expect(cloud.servers.get(id)).toMatchObject({ host: 'b', status: after, taskState: null });
    expect(calls(cloud)).toEqual(['evacuate']);
    expect(context.trail.slice(0, 3)).toEqual(['intent', 'guard', 'result']);
    expect(context.journal.current().result).toMatchObject({ forward: { accepted: true, destination: 'b' } });
  });

  it("lets Nova's scheduler choose", async () => {
    const { cloud, context } = setUp({ destination_node: null });
    expect(await evacuate.execute(context)).toBe(true);
    expect(cloud.mutations).toEqual([{ call: 'evacuate', target: id, argument: null }]);
  });

  it('fails with the record and the fault, and the instance can be evacuated again', async () => {
    const { cloud, context } = setUp();
    cloud.script(id, { status: 'error', fault: 'No valid host was found' });
    await expect(evacuate.execute(context)).rejects.toThrow(/Nova migration 1 ended in status error: No valid host/);
    expect(cloud.servers.get(id)).toMatchObject({ host: 'fenced', status: 'ERROR' });
    const again = createTestActionContext(cloud, context.input);
    expect(await evacuate.preCondition(again)).toEqual({ go: true });
    expect(await evacuate.execute(again)).toBe(true);
  });

  it('sends one request when the response is lost but the evacuation shows', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'evacuate', when: 'after', error: refusal(0, 'socket hang up', true) });
    expect(await evacuate.execute(context)).toBe(true);
    expect(calls(cloud)).toEqual(['evacuate']);
  });

  it('sends no request when the lease is lost, nor when the source has returned', async () => {
    const { cloud, context } = setUp();
    const lost = createTestActionContext(cloud, context.input, { guard: () => Promise.reject(new Error('lost')) });
    await expect(evacuate.execute(lost)).rejects.toThrow('lost');
    Object.assign(cloud.hosts.get('fenced') ?? {}, { state: 'up', forcedDown: false });
    await expect(evacuate.execute(context)).rejects.toThrow('fenced is up again');
    expect(cloud.mutations).toEqual([]);
  });

  it("passes Nova's refusal on", async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'evacuate', when: 'before', error: refusal(400, 'Compute service of fenced is still in use.') });
    await expect(evacuate.execute(context)).rejects.toThrow(
      'Nova client error: Compute service of fenced is still in use.',
    );
  });
});

it('leaves a host that cannot be forced up before its nova-compute has restarted', async () => {
  const { cloud, context } = setUp();
  await evacuate.execute(context);
  expect(cloud.forceUp('fenced')).toMatchObject({ status: 400 });
  expect(cloud.hosts.get('fenced')?.forcedDown).toBe(true);
  cloud.restartCompute('fenced');
  expect(cloud.forceUp('fenced')).toBeNull();
  expect(cloud.hosts.get('fenced')?.forcedDown).toBe(false);
});

describe('after a crash', () => {
  it('sees that no request was sent', async () => {
    expect(await evacuate.probe(setUp().context)).toBe('not_started');
  });

  it('sees an intent without effect, a running and a finished evacuation, and continues it', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'evacuate', when: 'before', error: new Error('killed') });
    await expect(evacuate.execute(context)).rejects.toThrow('killed');
    expect(await evacuate.probe(context)).toBe('not_started');
    cloud.hold(id);
    cloud.fail({ call: 'evacuate', when: 'after', error: new Error('killed') });
    await expect(evacuate.execute(context)).rejects.toThrow('killed');
    expect(await evacuate.probe(context.again())).toBe('in_progress');
    cloud.release(id);
    expect(await evacuate.waitFor(context.again())).toBe(true);
    expect(await evacuate.probe(context.again())).toBe('applied');
    expect(calls(cloud)).toEqual(['evacuate']);
  });

  it('reports why an interrupted one failed', async () => {
    const { cloud, context } = setUp();
    cloud.script(id, { status: 'error', fault: 'no room' });
    cloud.fail({ call: 'evacuate', when: 'after', error: new Error('killed') });
    await expect(evacuate.execute(context)).rejects.toThrow('killed');
    await cloud.compute.getServer(id);
    await cloud.compute.getServer(id);
    expect(await evacuate.probe(context)).toBe('failed');
    await expect(evacuate.waitFor(context)).rejects.toThrow(/no room/);
  });
});

it('cannot be undone, and occupies its destination only', async () => {
  const { context } = setUp();
  expect(evacuate.revertible).toBe('impossible');
  expect(await evacuate.revert(context)).toBe(false);
  expect(await evacuate.abort(context)).toBe(false);
  expect(evacuate.occupies(context.input)).toEqual(['destination:b', `resource:${id}`]);
});
