import { describe, expect, it } from 'vitest';
import { createFakeCloud, createTestActionContext, refusal } from '#tests';
import { migrate } from './migrate.ts';
import type { MigrateInput } from './migration-trace.ts';

const id = '11111111-2222-4333-8444-555555555555';

function setUp(
  change: Partial<MigrateInput> = {},
  server: {
    status?: string;
    host?: string;
    locked?: boolean;
    powerState?: number;
    taskState?: string;
    shares?: string[];
  } = {},
) {
  const cloud = createFakeCloud({
    hosts: [
      { name: 'a' },
      { name: 'b' },
      { name: 'off', status: 'disabled', reason: 'watcher_disabled' },
      { name: 'dead', state: 'down' },
      { name: 'fenced', forcedDown: true },
    ],
    servers: [{ uuid: id, host: 'a', ...server }],
  });
  const input: MigrateInput = {
    migration_type: 'live',
    resource_id: id,
    source_node: 'a',
    destination_node: 'b',
    ...change,
  };
  return { cloud, context: createTestActionContext(cloud, input) };
}

const calls = (cloud: ReturnType<typeof createFakeCloud>) => cloud.mutations.map((one) => one.call);

describe('before', () => {
  it('passes when the instance is on its source and the destination is enabled', async () => {
    expect(await migrate.preCondition(setUp().context)).toEqual({ go: true });
  });

  it.each([
    [
      { resource_id: '99999999-2222-4333-8444-555555555555' },
      'Instance 99999999-2222-4333-8444-555555555555 not found',
    ],
    [{ source_node: 'c' }, `Instance ${id} is not running on source node c (currently on a)`],
  ])('skips %o', async (change, skip) => {
    expect(await migrate.preCondition(setUp(change).context)).toEqual({ go: false, skip });
  });

  it.each<[Partial<MigrateInput>, Parameters<typeof setUp>[1], string]>([
    [{ destination_node: 'nowhere' }, {}, 'Destination node nowhere not found'],
    [{ destination_node: 'off' }, {}, 'Destination node off is not in enabled state'],
    [
      {},
      { status: 'SHUTOFF' },
      `Live migration requires instance ${id} to be in ACTIVE or PAUSED status (current status: SHUTOFF)`,
    ],
    [{}, { powerState: 4 }, `Live migration requires instance ${id} to run or to be paused (power state 4)`],
    [
      { migration_type: 'cold' },
      { status: 'PAUSED' },
      `Cold migration requires instance ${id} to be in ACTIVE or SHUTOFF status (current status: PAUSED)`,
    ],
    [{}, { taskState: 'image_uploading' }, `Instance ${id} is busy (task image_uploading)`],
    [{ source_node: 'dead' }, { host: 'dead' }, 'Source node dead is down'],
    [{ source_node: 'fenced', migration_type: 'cold' }, { host: 'fenced' }, 'Source node fenced is down'],
    [{ destination_node: 'dead' }, {}, 'Destination node dead is down'],
    [{}, { shares: ['s1'] }, `Instance ${id} has Manila share s1 attached`],
    [{ migration_type: 'cold' }, { shares: ['s1'] }, `Instance ${id} has Manila share s1 attached`],
  ])('fails for %o %o', async (change, server, message) => {
    await expect(migrate.preCondition(setUp(change, server).context)).rejects.toThrow(message);
  });

  it('passes for a paused instance', async () => {
    expect(await migrate.preCondition(setUp({}, { status: 'PAUSED' }).context)).toEqual({ go: true });
  });

  it.each([
    [{ locked: true }, 'server_locked', `Instance ${id} is locked`],
    [{ status: 'ERROR' }, 'server_in_error', `Instance ${id} is in ERROR status`],
  ])('never moves a server with %o', async (server, rail, message) => {
    const { context } = setUp({ migration_type: 'cold' }, server);
    await expect(migrate.preCondition(context)).rejects.toMatchObject({ code: 'safety_rail', rail, message });
  });

  it("passes Nova's refusal on", async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'getServer', when: 'before', error: refusal(403, 'Policy does not allow') });
    await expect(migrate.preCondition(context)).rejects.toThrow('Nova client error: Policy does not allow');
  });
});

describe('live', () => {
  it('arrives, with one request, journalled before and guarded right before it', async () => {
    const { cloud, context } = setUp();
    expect(await migrate.execute(context)).toBe(true);
    expect(cloud.servers.get(id)?.host).toBe('b');
    expect(calls(cloud)).toEqual(['liveMigrate']);
    expect(context.trail.slice(0, 3)).toEqual(['intent', 'guard', 'result']);
    expect(context.journal.current().externalRef).toBe('00000000-0000-4000-8000-000000000001');
  });

  it('moves a paused instance, which stays paused', async () => {
    const { cloud, context } = setUp({}, { status: 'PAUSED' });
    expect(await migrate.execute(context)).toBe(true);
    expect(cloud.servers.get(id)).toMatchObject({ host: 'b', status: 'PAUSED' });
    expect(await migrate.revert(context)).toBe(true);
    expect(cloud.servers.get(id)).toMatchObject({ host: 'a', status: 'PAUSED' });
    expect(calls(cloud)).toEqual(['liveMigrate', 'liveMigrate']);
  });

  it("lets Nova's scheduler choose", async () => {
    const { cloud, context } = setUp({ destination_node: null });
    expect(await migrate.execute(context)).toBe(true);
    expect(cloud.mutations).toEqual([{ call: 'liveMigrate', target: id, argument: null }]);
  });

  it('counts an instance that is on its destination as moved', async () => {
    const { cloud, context } = setUp({}, { host: 'b' });
    expect(await migrate.execute(context)).toBe(true);
    expect(cloud.mutations).toEqual([]);
  });

  it("fails with the record's status and Nova's fault", async () => {
    const { cloud, context } = setUp();
    cloud.script(id, { status: 'error', fault: 'No valid host was found' });
    await expect(migrate.execute(context)).rejects.toThrow(
      /Nova migration 1 ended in status error: No valid host was found/,
    );
  });

  it("fails with the record's status alone where Nova says no more", async () => {
    const { cloud, context } = setUp();
    cloud.script(id, { status: 'error', fault: 'No valid host was found' });
    cloud.fail({ call: 'getInstanceActionFault', when: 'before', error: refusal(403, 'Policy does not allow it') });
    await expect(migrate.execute(context)).rejects.toThrow(/ended in status error \(instance/);
  });

  it("fails with Nova's text when the request is refused", async () => {
    const { cloud, context } = setUp({ destination_node: 'unknown' });
    await expect(migrate.execute(context)).rejects.toThrow(
      'Nova client error: Compute host unknown could not be found.',
    );
    expect(calls(cloud)).toEqual(['liveMigrate']);
  });

  it('sends one request when the response got lost but the migration shows', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'liveMigrate', when: 'after', error: refusal(0, 'socket hang up', true) });
    expect(await migrate.execute(context)).toBe(true);
    expect(calls(cloud)).toEqual(['liveMigrate']);
  });

  it('repeats a lost request only when it shows no effect', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'liveMigrate', when: 'before', error: refusal(0, 'socket hang up', true) });
    expect(await migrate.execute(context)).toBe(true);
    expect(cloud.peak()).toBe(1);
  });

  it('sends no request when the lease is lost', async () => {
    const { cloud } = setUp();
    const input: MigrateInput = { migration_type: 'live', resource_id: id, source_node: 'a', destination_node: 'b' };
    const context = createTestActionContext(cloud, input, { guard: () => Promise.reject(new Error('lost')) });
    await expect(migrate.execute(context)).rejects.toThrow('lost');
    expect(cloud.mutations).toEqual([]);
  });

  it('does not wait beyond its time budget', async () => {
    const { cloud, context } = setUp();
    cloud.hold(id);
    await expect(migrate.execute(context)).rejects.toThrow('timeout');
  });
});

describe('cold', () => {
  it('confirms and returns to the former status', async () => {
    const { cloud, context } = setUp({ migration_type: 'cold' }, { status: 'SHUTOFF' });
    expect(await migrate.execute(context)).toBe(true);
    expect(calls(cloud)).toEqual(['coldMigrate', 'confirmResize']);
    expect(cloud.servers.get(id)).toMatchObject({ host: 'b', status: 'SHUTOFF', taskState: null });
  });

  it('confirms once when the response to the confirmation is lost', async () => {
    const { cloud, context } = setUp({ migration_type: 'cold' });
    cloud.fail({ call: 'confirmResize', when: 'after', error: refusal(504, 'gateway timeout', true) });
    expect(await migrate.execute(context)).toBe(true);
    expect(calls(cloud)).toEqual(['coldMigrate', 'confirmResize']);
  });

  it('accepts an automatic confirmation by Nova', async () => {
    const { cloud, context } = setUp({ migration_type: 'cold' });
    let isAsked = false;
    cloud.onCall(async (call) => {
      if (call !== 'confirmResize' || isAsked) return;
      isAsked = true;
      await cloud.compute.confirmResize(id);
      await cloud.compute.getServer(id);
      await cloud.compute.getServer(id);
    });
    expect(await migrate.execute(context)).toBe(true);
    expect(cloud.servers.get(id)).toMatchObject({ host: 'b', status: 'ACTIVE' });
  });

  it('is continued by a successor that finds it unconfirmed', async () => {
    const { cloud, context } = setUp({ migration_type: 'cold' });
    cloud.fail({ call: 'confirmResize', when: 'before', error: new Error('killed') });
    await expect(migrate.execute(context)).rejects.toThrow('killed');
    const successor = context.again();
    expect(await migrate.probe(successor)).toBe('in_progress');
    expect(await migrate.waitFor(successor)).toBe(true);
    expect(calls(cloud)).toEqual(['coldMigrate', 'confirmResize']);
  });
});

describe('after a crash', () => {
  it('sees that no request was sent', async () => {
    const { context } = setUp();
    expect(await migrate.probe(context)).toBe('not_started');
  });

  it('sees an intent without effect, a running, a finished and a failed migration', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'liveMigrate', when: 'before', error: new Error('killed') });
    await expect(migrate.execute(context)).rejects.toThrow('killed');
    expect(await migrate.probe(context)).toBe('not_started');
    cloud.hold(id);
    cloud.fail({ call: 'liveMigrate', when: 'after', error: new Error('killed') });
    await expect(migrate.execute(context)).rejects.toThrow('killed');
    expect(await migrate.probe(context.again())).toBe('in_progress');
    cloud.release(id);
    expect(await migrate.waitFor(context.again())).toBe(true);
    expect(await migrate.probe(context.again())).toBe('applied');
  });

  it('reports why an interrupted migration failed', async () => {
    const { cloud, context } = setUp();
    cloud.script(id, { status: 'error', fault: 'libvirt said no' });
    cloud.fail({ call: 'liveMigrate', when: 'after', error: new Error('killed') });
    await expect(migrate.execute(context)).rejects.toThrow('killed');
    await cloud.compute.getServer(id);
    await cloud.compute.getServer(id);
    expect(await migrate.probe(context)).toBe('failed');
    await expect(migrate.waitFor(context)).rejects.toThrow(/libvirt said no/);
  });
});

describe('revert', () => {
  it('moves back from where the instance is', async () => {
    const { cloud, context } = setUp({ destination_node: null });
    await migrate.execute(context);
    expect(await migrate.revert(context)).toBe(true);
    expect(cloud.servers.get(id)?.host).toBe('a');
  });

  it('is cold for an instance that was stopped since', async () => {
    const { cloud, context } = setUp({}, { host: 'b', status: 'SHUTOFF' });
    expect(await migrate.revert(context)).toBe(true);
    expect(calls(cloud)).toEqual(['coldMigrate', 'confirmResize']);
  });

  it('does nothing twice', async () => {
    const { cloud, context } = setUp();
    expect(await migrate.revert(context)).toBe(true);
    expect(cloud.mutations).toEqual([]);
  });

  it('is waited for by a successor that finds it requested', async () => {
    const { cloud, context } = setUp();
    await migrate.execute(context);
    cloud.fail({ call: 'liveMigrate', when: 'after', error: new Error('killed') });
    await expect(migrate.revert(context)).rejects.toThrow('killed');
    expect(await migrate.revert(context.again())).toBe(true);
    expect(cloud.mutations.map(({ call, argument }) => [call, argument])).toEqual([
      ['liveMigrate', 'b'],
      ['liveMigrate', 'a'],
    ]);
  });
});

describe('abort', () => {
  it('leaves a running live migration on its source', async () => {
    const { cloud, context } = setUp();
    cloud.hold(id);
    await expect(migrate.execute(context)).rejects.toThrow('timeout');
    expect(await migrate.abort(context.again())).toBe(true);
    expect(cloud.servers.get(id)).toMatchObject({ host: 'a', status: 'ACTIVE' });
  });

  it('leaves a paused instance on its source', async () => {
    const { cloud, context } = setUp({}, { status: 'PAUSED' });
    cloud.hold(id);
    await expect(migrate.execute(context)).rejects.toThrow('timeout');
    expect(await migrate.abort(context.again())).toBe(true);
    expect(cloud.servers.get(id)).toMatchObject({ host: 'a', status: 'PAUSED' });
  });

  it('is too late for a finished one and for cold ones', async () => {
    const { cloud, context } = setUp();
    await migrate.execute(context);
    expect(await migrate.abort(context)).toBe(false);
    expect(await migrate.abort(setUp({ migration_type: 'cold' }).context)).toBe(false);
    expect(calls(cloud)).toEqual(['liveMigrate']);
  });

  it('fails when the instance is neither here nor there', async () => {
    const { context } = setUp({}, { status: 'ERROR' });
    const message = `Live migration execution and abort both failed for the instance ${id}.`;
    await expect(migrate.abort(context)).rejects.toThrow(message);
  });

  it.each([
    ['before its record was seen', false],
    ['after its record was seen', true],
  ])('keeps a migration after our own, which ended %s, by the same user', async (_when, isSeen) => {
    const { cloud, context } = setUp();
    cloud.script(id, { status: 'error' });
    const ending = isSeen ? migrate.execute(context) : sendOnly(context);
    await expect(ending).rejects.toThrow();
    await expect.poll(async () => (await cloud.compute.getServer(id))?.taskState).toBeNull();
    cloud.hold(id);
    await cloud.compute.liveMigrate(id, 'b');
    cloud.onCall((call) => void (call === 'getServer' && cloud.release(id)));
    expect(await migrate.abort(context.again())).toBe(false);
    expect(calls(cloud)).toEqual(['liveMigrate', 'liveMigrate']);
  });
});

it('occupies both hosts and the instance', () => {
  expect(migrate.occupies(setUp().context.input)).toEqual(['source:a', 'destination:b', `resource:${id}`]);
});

/** Executes as far as the response to the request. */
async function sendOnly(context: ReturnType<typeof setUp>['context']): Promise<void> {
  const { journal } = context;
  const result = async (entry: Parameters<typeof journal.result>[0]) => {
    await journal.result(entry);
    throw new Error('the process has ended');
  };
  await migrate.execute({ ...context, journal: { ...journal, result } });
}
