import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTaskCatalogue, createTaskRequests, taskDefinitions } from '#libs/tasks';
import { useStore } from '#tests';
import { redriveTasks } from './redrive-tasks.ts';

const { store } = await useStore();

test('all dead tasks of a name are queued again, oldest first, once for those that do the same', async () => {
  const requests = createTaskRequests({ store, catalogue: createTaskCatalogue(taskDefinitions), newUuid: randomUUID });
  async function die(name: string, args = {}): Promise<string> {
    const { uuid } = await requests.enqueue(name, args, { createdBy: 'test' });
    const task = await store.db.tasks.claim('generic', [name], { instance: randomUUID(), host: 'h', ttlMs: 60_000 });
    expect(task?.uuid).toBe(uuid);
    await store.db.tasks.fail(uuid, task?.fence ?? 0, { code: 'unexpected', message: 'broken' });
    return uuid;
  }
  const [first, twin] = [await die('prune-tasks'), await die('prune-tasks')];
  const other = await die('prune-tasks', { keep_seconds: 60 });
  const foreign = await die('prune-changes');
  const said: unknown[] = [];
  const run = {
    createdBy: 'ann',
    signal: new AbortController().signal,
    progress: async (...step: unknown[]) => void said.push(step),
  };
  expect(await redriveTasks(store, { name: 'prune-tasks' }, run)).toEqual({ found: 3, requeued: 2, coalesced: 1 });
  const states = async () =>
    Promise.all([first, twin, other, foreign].map(async (uuid) => (await store.db.tasks.get(uuid)).state));
  expect(await states()).toEqual(['QUEUED', 'SUPERSEDED', 'QUEUED', 'FAILED']);
  expect(await store.db.tasks.get(twin)).toMatchObject({
    result: { superseded_by: first },
    error: { code: 'unexpected' },
  });
  expect(await store.db.tasks.get(first)).toMatchObject({ redrivenBy: 'ann', attempts: 0 });
  expect(said.at(-1)).toEqual([100, '3 of 3 tasks']);

  await die('redrive-tasks');
  expect(await redriveTasks(store, { queue: 'masters' }, run)).toMatchObject({ found: 0 });
  expect(await redriveTasks(store, {}, run)).toEqual({ found: 1, requeued: 1, coalesced: 0 });
  expect(await states()).toEqual(['QUEUED', 'SUPERSEDED', 'QUEUED', 'QUEUED']);
  // None of these is still dead for the metric that alerts.
  expect(await store.db.tasks.counts()).toEqual([
    { queue: 'generic', state: 'FAILED', count: 1 },
    { queue: 'generic', state: 'QUEUED', count: 3 },
  ]);
  await expect(store.db.tasks.redrive(twin, 'ann')).rejects.toMatchObject({ currentState: 'SUPERSEDED' });
});
