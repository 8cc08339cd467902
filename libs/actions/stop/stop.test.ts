import { describe, expect, it } from 'vitest';
import { createFakeCloud, createTestActionContext, refusal } from '#tests';
import { stop } from './stop.ts';

const id = '11111111-2222-4333-8444-555555555555';
const other = '99999999-2222-4333-8444-555555555555';

function setUp(server: { status?: string } = {}, pollsPerMigration?: number) {
  const cloud = createFakeCloud({
    hosts: [{ name: 'a' }],
    servers: [{ uuid: id, host: 'a', ...server }],
    pollsPerMigration,
  });
  return { cloud, context: createTestActionContext(cloud, { resource_id: id }) };
}

const calls = (cloud: ReturnType<typeof createFakeCloud>) => cloud.mutations.map((one) => one.call);

describe('before', () => {
  it('skips a removed or stopped instance', async () => {
    const { cloud, context } = setUp({ status: 'SHUTOFF' });
    expect(await stop.preCondition(context)).toEqual({ go: false, skip: `Instance ${id} is already stopped` });
    const gone = createTestActionContext(cloud, { resource_id: other });
    expect(await stop.preCondition(gone)).toEqual({ go: false, skip: `Instance ${other} not found` });
    expect(await stop.preCondition(setUp().context)).toEqual({ go: true });
  });
});

describe('execute', () => {
  it('stops, with one request, journalled before and guarded right before it', async () => {
    const { cloud, context } = setUp();
    expect(await stop.execute(context)).toBe(true);
    expect(cloud.servers.get(id)?.status).toBe('SHUTOFF');
    expect(calls(cloud)).toEqual(['stopServer']);
    expect(context.trail).toEqual(['intent', 'guard', 'result']);
  });

  it('sends one request when the response is lost', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call: 'stopServer', when: 'after', error: refusal(0, 'reset', true) });
    expect(await stop.execute(context)).toBe(true);
    expect(calls(cloud)).toEqual(['stopServer']);
  });

  it('counts an instance that disappears as stopped', async () => {
    const { cloud, context } = setUp();
    cloud.onCall((call) => {
      if (call === 'stopServer') cloud.servers.delete(id);
    });
    expect(await stop.execute(context)).toBe(true);
  });

  it('fails after 80 seconds', async () => {
    const { context } = setUp({}, 1000);
    await expect(stop.execute(context)).rejects.toThrow(`Instance ${id} is active instead of stopped after 80s`);
  });
});

it('is probed by state and task', async () => {
  const { cloud, context } = setUp({}, 3);
  expect(await stop.probe(context)).toBe('not_started');
  cloud.fail({ call: 'stopServer', when: 'after', error: new Error('killed') });
  await expect(stop.execute(context)).rejects.toThrow('killed');
  expect(await stop.probe(context.again())).toBe('in_progress');
  expect(await stop.waitFor(context.again())).toBe(true);
  expect(await stop.probe(context.again())).toBe('applied');
  expect(calls(cloud)).toEqual(['stopServer']);
});

describe('revert', () => {
  it('starts the instance that it stopped', async () => {
    const { cloud, context } = setUp();
    await stop.execute(context);
    expect(await stop.revert(context)).toBe(true);
    expect(cloud.servers.get(id)?.status).toBe('ACTIVE');
    expect(calls(cloud)).toEqual(['stopServer', 'startServer']);
  });

  it('does nothing when it stopped nothing', async () => {
    const { cloud, context } = setUp({ status: 'SHUTOFF' });
    expect(await stop.execute(context)).toBe(true);
    expect(await stop.revert(context)).toBe(true);
    expect(cloud.mutations).toEqual([]);
  });
});
