import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runVigil, startVigil, type VigilProcess } from './vigil-process.ts';

let dataDir: string;
let up: VigilProcess;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vigil-beside-'));
  up = await startVigil(['up'], {
    VIGIL_DATA_DIR: dataDir,
    VIGIL_PORT: '0',
    VIGIL_SIMULATOR_PORT: '0',
    VIGIL_SIMULATOR_GENERATE: 'hosts=2,instances=4',
    VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
  });
});
afterAll(async () => {
  await up?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it.each([
  [['watch', 'engine', 'wait'], ''],
  [['db', 'version'], 'missing: none'],
  [['db', 'purge', '--dry-run'], 'Nothing was deleted'],
  [['status', 'upgrade-check'], 'Database Schema'],
  [['goal', 'list'], 'workload_balancing'],
  [['services'], 'watcher-applier'],
  [['config', 'check'], 'The configuration is valid.'],
  [['config', 'show'], '(running Vigil)'],
])('vigil %j beside a running vigil up finds it, and says so', async (args, wanted) => {
  const { exitCode, stdout, stderr } = await runVigil(args, { VIGIL_DATA_DIR: dataDir });
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toContain(wanted);
  expect(stderr).toContain(`using the running Vigil (pid ${up.pid}) in ${dataDir}: API ${up.url}, database 127.0.0.1:`);
});

it('vigil watch all once finds a running vigil up, as soon as each dependency responds within its limit', async () => {
  const watchOnce = () => runVigil(['watch', 'all', 'once'], { VIGIL_DATA_DIR: dataDir });
  await expect.poll(watchOnce).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('open\n') });
});

it('passwords are in a file for its owner only, and in no output', async () => {
  expect(statSync(join(dataDir, 'running.json')).mode & 0o777).toBe(0o600);
  const { stderr } = await runVigil(['goal', 'list'], { VIGIL_DATA_DIR: dataDir });
  expect(stderr).not.toMatch(/:\/\/[^ ]*@/);
});

it('a configured address wins', async () => {
  const given = { VIGIL_DATA_DIR: dataDir, VIGIL_DATABASE_URL: 'postgres://127.0.0.1:1/other' };
  const { exitCode, stderr } = await runVigil(['db', 'version'], given);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('127.0.0.1:1');
  expect(stderr).not.toContain('using the running');
});

it('a stack that was killed or has ended is not used', async () => {
  await up.kill();
  expect(existsSync(join(dataDir, 'running.json'))).toBe(true);
  const unset = await runVigil(['db', 'version'], { VIGIL_DATA_DIR: dataDir });
  expect(unset).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('VIGIL_DATABASE_URL is not set') });
  const lost = await runVigil(['goal', 'list'], { VIGIL_DATA_DIR: dataDir });
  expect(lost).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no API configured') });
});
