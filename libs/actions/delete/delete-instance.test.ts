import { describe, expect, it } from 'vitest';
import { createFakeCloud, createTestActionContext, refusal } from '#tests';
import { shelveInstance } from '../shelve/shelve-instance.ts';
import { deleteInstance } from './delete-instance.ts';

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

describe.each([
  { action: deleteInstance, call: 'deleteServer' as const, task: 'deleting' },
  { action: shelveInstance, call: 'shelveServer' as const, task: 'shelving' },
])('$action.name', ({ action, call }) => {
  it('skips an instance that does not exist', async () => {
    const { cloud, context } = setUp();
    expect(await action.preCondition(context)).toEqual({ go: true });
    const missing = createTestActionContext(cloud, { resource_id: other });
    expect(await action.preCondition(missing)).toEqual({ go: false, skip: `Instance ${other} not found` });
  });

  it('sends one request, journalled before and guarded right before it', async () => {
    const { cloud, context } = setUp();
    expect(await action.execute(context)).toBe(true);
    expect(cloud.mutations.map((one) => one.call)).toEqual([call]);
    expect(context.trail).toEqual(['intent', 'guard', 'result']);
  });

  it('sends one request when the response is lost', async () => {
    const { cloud, context } = setUp();
    cloud.fail({ call, when: 'after', error: refusal(0, 'reset', true) });
    expect(await action.execute(context)).toBe(true);
    expect(cloud.mutations).toHaveLength(1);
  });

  it('is probed by state and task, and continued without a second request', async () => {
    const { cloud, context } = setUp({}, 3);
    expect(await action.probe(context)).toBe('not_started');
    cloud.fail({ call, when: 'after', error: new Error('killed') });
    await expect(action.execute(context)).rejects.toThrow('killed');
    expect(await action.probe(context.again())).toBe('in_progress');
    expect(await action.waitFor(context.again())).toBe(true);
    expect(await action.probe(context.again())).toBe('applied');
    expect(cloud.mutations).toHaveLength(1);
  });

  it('fails with the state after its time', async () => {
    const { context } = setUp({}, 1000);
    await expect(action.execute(context)).rejects.toThrow(`Instance ${id} is active 15 s after`);
  });

  it('has no way back', async () => {
    const { cloud, context } = setUp();
    expect(await action.revert(context)).toBe(false);
    expect(await action.abort(context)).toBe(false);
    expect(cloud.mutations).toEqual([]);
  });
});

it.each(['SHELVED', 'SHELVED_OFFLOADED'])('shelve skips an instance in status %s', async (status) => {
  const { context } = setUp({ status });
  expect(await shelveInstance.preCondition(context)).toEqual({ go: false, skip: `Instance ${id} is already shelved` });
});

it('an instance that is deleted during the wait is deleted, but not shelved', async () => {
  const removeAt = (call: string) => {
    const { cloud, context } = setUp({}, 1000);
    cloud.onCall((name) => {
      if (name === call) cloud.servers.delete(id);
    });
    return context;
  };
  expect(await deleteInstance.execute(removeAt('deleteServer'))).toBe(true);
  await expect(shelveInstance.execute(removeAt('shelveServer'))).rejects.toThrow();
});
