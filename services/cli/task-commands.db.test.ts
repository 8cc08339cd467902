import { expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { newUuid } from '#libs/service-kit';
import { startTaskWorker } from '#libs/tasks';
import { atEnd } from '#tests';
import { useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

let broken = true;

const api = await useTestApi();
const url = await api.listen();
const handlers = {
  'prune-tasks': async () => {
    if (broken) throw new Error('the disk is full');
    return { tasks: 3 };
  },
};
const worker = await startTaskWorker(
  { store: api.store, handlers, instanceId: newUuid(), host: 'h1', logger: silentLogger, random: () => 0 },
  { queues: [{ name: 'generic', concurrency: 1 }], pollMs: 50 },
);
atEnd(() => worker.stop());

const vigil = (...args: string[]) => runVigil(['tasks', ...args], { env: { VIGIL_API_URL: url } });

it('runs a task, shows why it died, and runs it again', async () => {
  const died = await vigil('run', 'prune-tasks', '--arg', 'keep_seconds=3600', '--wait');
  expect(died).toMatchObject({ code: 1, err: 'vigil: prune-tasks: the disk is full\n' });
  const [dead] = JSON.parse((await vigil('list', '--state', 'failed', '--json')).out);
  expect(dead).toMatchObject({ name: 'prune-tasks', args: { keep_seconds: 3600 }, error: { code: 'unexpected' } });
  broken = false;
  expect((await vigil('retry', dead.uuid, '--wait')).code).toBe(0);
  const shown = await vigil('show', dead.uuid);
  expect(shown.out).toContain('SUCCEEDED');
  expect(shown.out).toContain('h1');
});

it('refuses invalid arguments, and lists schedules with their warnings', async () => {
  expect(await vigil('run', 'prune-tasks', '--arg', 'keep_seconds=soon')).toMatchObject({
    code: 1,
    err: expect.stringContaining('args.keep_seconds: must be integer'),
  });
  await api.store.db.scheduledTasks.setWarnings('tasks', [
    { name: 'purge', reason: 'cron: x is not a cron expression' },
  ]);
  const schedules = await vigil('schedules');
  expect(schedules).toMatchObject({ code: 0, err: 'warning: purge: cron: x is not a cron expression\n' });
  expect((await vigil('catalogue')).out).toContain('expire-action-plans');
});

it('redrives all dead tasks of a name, and requires a selection', async () => {
  expect(await vigil('redrive')).toMatchObject({
    code: 2,
    err: expect.stringContaining('specify --all, --name or --queue'),
  });
  const redriven = JSON.parse((await vigil('redrive', '--all', '--name', 'prune-tasks', '--json')).out);
  expect(redriven).toMatchObject({ name: 'redrive-tasks', args: { name: 'prune-tasks' }, state: 'QUEUED' });
});
