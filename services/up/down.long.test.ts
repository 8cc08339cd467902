import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { silentLogger } from '#libs/domain';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#libs/service-kit/embedded';
import { run } from './down.ts';

const usual = process.env.VIGIL_DATA_DIR;
let folder = '';
let server: EmbeddedPostgres | null = null;
afterEach(async () => {
  vi.restoreAllMocks();
  await server?.stop();
  for (const path of [folder, server?.home ?? folder]) rmSync(path, { recursive: true, force: true });
  server = null;
  if (usual === undefined) delete process.env.VIGIL_DATA_DIR;
  else process.env.VIGIL_DATA_DIR = usual;
});

async function down(...args: string[]) {
  let text = '';
  const keep = (chunk: unknown) => {
    text += String(chunk);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
  const code = await run(args);
  vi.restoreAllMocks();
  return { code, text };
}

/** A private folder with a database, which is elsewhere when root runs the test. */
async function dataFolder(): Promise<string> {
  folder = mkdtempSync(join(tmpdir(), 'vigil-down-'));
  process.env.VIGIL_DATA_DIR = folder;
  server = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    settings: { fsync: 'off' },
    logger: silentLogger,
  });
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, 'logs', 'api.log'), 'line\n');
  return server.home;
}

/** A process that announces itself as `vigil up` does. */
async function announced(): Promise<ChildProcess> {
  const script = `
    import { announceStack } from ${JSON.stringify(resolve('dist/libs/service-kit/index.js'))};
    announceStack(${JSON.stringify(folder)}, { env: {} });
    console.log('ready');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

it('down --purge removes the database, also where root keeps it, and the logs', async () => {
  const home = await dataFolder();
  await server?.stop();
  const { code, text } = await down('--purge');
  expect(code, text).toBe(0);
  expect(text).toContain(home);
  expect([existsSync(home), existsSync(folder)]).toEqual([false, false]);
});

it('down --purge keeps a database that a process uses', async () => {
  const home = await dataFolder();
  const owner = spawn('sleep', ['600']);
  writeFileSync(join(home, 'owner.pid'), String(owner.pid));
  const { code, text } = await down('--purge');
  owner.kill();
  expect(code).not.toBe(0);
  expect(text).toContain(`process ${owner.pid} uses the database`);
  expect(existsSync(join(home, 'cluster'))).toBe(true);
});

it('down stops the vigil up of its data folder, and keeps the data', async () => {
  const home = await dataFolder();
  const child = await announced();
  const ended = once(child, 'exit');
  const { code, text } = await down();
  expect(code, text).toBe(0);
  await ended;
  expect(text).toContain(`pid ${child.pid}`);
  expect(existsSync(join(home, 'cluster'))).toBe(true);
  expect((await down()).text).toContain(`no Vigil runs in ${folder}`);
});
