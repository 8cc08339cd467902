import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from './test-stack.ts';

const run = promisify(execFile);

let work: string;
let stack: TestStack;
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'vigil-walk-'));
  await mkdir(join(work, 'bin'));
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/services/vigil.js')}" "$@"\n`;
  await writeFile(join(work, 'bin', 'vigil'), shim);
  await chmod(join(work, 'bin', 'vigil'), 0o755);
  stack = await startTestStack({ simulator: ['--generate', 'hosts=4,instances=8,seed=3'] });
});
afterAll(async () => {
  await stack?.stop();
  await rm(work, { recursive: true, force: true });
});

/** Fenced blocks of the page, with what stands behind the fence. */
async function blocksOf(path: string): Promise<{ kind: string; text: string }[]> {
  const page = await readFile(path, 'utf8');
  return [...page.matchAll(/^```([^\n]+)\n(.*?)^```$/gms)].map(([, kind = '', text = '']) => ({ kind, text }));
}

test('docs/plugins.md: every file and command of the walk-through works as it stands', async () => {
  const admin = { ...stack.env, OS_USERNAME: 'admin', OS_PROJECT_NAME: 'admin', VIGIL_API_URL: stack.api.url! };
  const folder = join(work, 'even-out');
  const printed: string[] = [];
  let entered = false;
  for (const { kind, text } of await blocksOf('docs/plugins.md')) {
    if (kind === 'js') {
      const name = /^\/\/ (\S+)\n/.exec(text)?.[1];
      await writeFile(join(folder, name!), text);
    } else if (kind === 'sh service') {
      expect(text).toBe('VIGIL_PLUGINS=$PWD vigil up\n');
      await stack.start(['decision-engine'], { VIGIL_PLUGINS: folder });
      await stack.start(['applier'], { VIGIL_PLUGINS: folder });
    } else {
      const env = { ...admin, PATH: `${join(work, 'bin')}:${process.env.PATH}`, HOME: work };
      const { stdout } = await run('bash', ['-ec', text], { cwd: entered ? folder : work, env, timeout: 120_000 });
      printed.push(stdout);
      entered = true;
    }
  }
  const [scaffold, use] = printed;
  expect(scaffold).toMatch(/pass 3\n/);
  for (const row of [
    /strategy +│ announcement +│ Announcement +│ unclassified/,
    /action +│ announce /,
    /data_source +│ rack_sensors /,
    /collector +│ baremetal /,
    /max_instances/,
  ])
    expect(use).toMatch(row);
  const [plan] = await stack.client.list('action_plans');
  expect(await stack.client.waitForActionPlan(plan!.uuid, { pollMs: 100, timeoutMs: 120_000 })).toMatchObject({
    state: 'SUCCEEDED',
  });
  const [action] = await stack.client.list('actions', { filters: { action_plan_uuid: plan!.uuid } });
  expect(action).toMatchObject({ action_type: 'announce', input_parameters: { message: 'Upgrade of 4 hosts' } });
});
