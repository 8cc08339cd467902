import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { internalVersion } from '#libs/client';
import { startTestStack, type TestStack } from './test-stack.ts';
import { runVigil } from './vigil-process.ts';

let stack: TestStack;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  stack = await startTestStack({ env: { VIGIL_HOST_ID: 'node-1', VIGIL_ALLOW_MULTIPLE: 'false' } });
  env = { ...stack.env, VIGIL_API_URL: stack.api.url!, OS_USERNAME: 'admin', OS_PROJECT_NAME: 'admin' };
});
afterAll(() => stack.stop());

interface Row {
  name: string;
  status: string;
  instance: { pid: number };
}
const vigil = async <Answer>(...args: string[]) => {
  const { exitCode, stdout, stderr } = await runVigil([...args, '--json'], env);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as Answer;
};
const statuses = async () =>
  Object.fromEntries((await vigil<Row[]>('services')).map(({ name, status }) => [name, status]));

test('the client asks for the internal version of its build', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toMatch(new RegExp(`^${internalVersion}\\.`));
});

test('processes register, answer, are unique, and end when they are asked to', async () => {
  const applier = await stack.start(['applier'], { VIGIL_HEALTH_PORT: '0' });
  await stack.start(['coordinator']);
  expect(await statuses()).toEqual({
    'recovery-coordinator': 'Running',
    'watcher-api': 'Running',
    'watcher-applier': 'Running',
  });

  expect(await vigil('service', 'check', 'watcher-applier')).toMatchObject({ status: 'pass' });
  const status = await vigil<Record<string, unknown>>('service', 'status', 'watcher-applier@node-1');
  expect(status).toMatchObject({ serviceName: 'watcher-applier', work: [], check: { status: 'pass' } });
  expect(status.config).toMatchObject({ VIGIL_DATABASE_URL: '[set]', VIGIL_APPLIER_WORKERS: 1 });
  expect(JSON.stringify(status)).not.toContain(stack.env.VIGIL_DATABASE_URL);

  const api = await vigil<{ owns: { rel: string; dstId: string }[] }>('service', 'status', 'watcher-api');
  expect(api.owns).toContainEqual(expect.objectContaining({ rel: 'runs', dstId: 'outbox-relay' }));

  const second = await runVigil(['applier'], stack.env);
  expect(second).toMatchObject({ exitCode: 75, stderr: expect.stringContaining('already running on node-1') });
  const invalid = await runVigil(['applier'], { ...stack.env, VIGIL_APPLIER_WORKERS: 'many' });
  expect(invalid).toMatchObject({ exitCode: 78, stderr: expect.stringContaining('VIGIL_APPLIER_WORKERS must be') });
  const events = await vigil<{ type: string; doc: { errors?: string[] } }[]>('services', '--events');
  const refused = events.filter(({ type }) => type === 'service.could_not_start');
  expect(refused).toMatchObject([{ doc: { errors: [expect.stringContaining('VIGIL_APPLIER_WORKERS')] } }, {}]);

  const restart = vigil('service', 'restart', 'watcher-applier');
  expect(await applier.ended).toBe(10);
  await stack.start(['applier']);
  expect(await restart).toMatchObject({ state: 'OK' });
  expect(await vigil('service', 'start', 'watcher-applier')).toMatchObject({ state: 'OK', reason: 'it runs already' });
  await vigil('service', 'stop', 'watcher-applier');
  expect((await statuses())['watcher-applier']).toBe('NotRunning');
});
