import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'vigil-hang-up-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('SIGHUP ends a process for a new start only when its files could be used', async () => {
  const file = join(folder, 'vigil.conf');
  writeFileSync(file, '[vigil]\nlog_level = error\n');
  const script = `
    import { runService } from ${JSON.stringify(resolve('dist/libs/service-kit/index.js'))};
    process.exitCode = await runService({ name: 'trial', env: {}, start: async () => ({ url: null }) });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, VIGIL_CONFIG_FILE: file },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const ended = once(child, 'exit');
  await once(child, 'message');

  writeFileSync(file, '[vigil]\nlog_level = loud\n');
  child.kill('SIGHUP');
  await expect
    .poll(() => log, { timeout: 60_000 })
    .toContain('VIGIL_LOG_LEVEL must be one of debug, info, warn, error');

  writeFileSync(file, '[vigil]\nlog_level = error\n');
  child.kill('SIGHUP');
  expect(await ended).toEqual([129, null]);
}, 120_000);
