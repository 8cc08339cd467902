import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '#libs/messaging/testing';
import { startVigil, type VigilProcess } from './vigil-process.ts';

let dataDir: string;
let isMounted: boolean;
let up: VigilProcess | undefined;

/** A small separate disk, if one may be mounted. Otherwise only the log of the API uses a full one. */
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vigil-full-'));
  chmodSync(dataDir, 0o755);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=250m,mode=0755', 'tmpfs', dataDir], { stdio: 'ignore' });
    isMounted = true;
  } catch {
    isMounted = false;
    mkdirSync(join(dataDir, 'logs'), { mode: 0o700 });
    symlinkSync('/dev/full', join(dataDir, 'logs', 'api.log'));
  }
});
afterEach(async () => {
  await up?.stop();
  if (isMounted) execFileSync('umount', ['--lazy', dataDir]);
  rmSync(dataDir, { recursive: true, force: true });
});

const obstacle = () => (isMounted ? join(dataDir, 'filler') : join(dataDir, 'logs', 'api.log'));

/** Fills the rest of the disk. */
function fill(): void {
  for (let size = 64_000_000; isMounted && size >= 4096; ) {
    try {
      writeFileSync(obstacle(), Buffer.alloc(size), { flag: 'a' });
    } catch {
      size /= 4;
    }
  }
}

const response = (path: string) =>
  fetch(`${up?.url}${path}`, { signal: AbortSignal.timeout(10_000) }).then(
    ({ status }) => status,
    () => 0,
  );

test('a full disk costs log lines and writes, not the stack; it recovers automatically when room is free again', async () => {
  up = await startVigil(['up'], {
    VIGIL_DATA_DIR: dataDir,
    VIGIL_PORT: '0',
    VIGIL_SIMULATOR_PORT: '0',
    VIGIL_SIMULATOR_GENERATE: 'hosts=3,instances=9',
    VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
    VIGIL_LOG_LEVEL: 'debug',
  });
  for (let number = 0; number < 100; number += 1) {
    fill();
    await response(`/v1/?number=${number}`);
  }
  rmSync(obstacle());

  await until('ready again', async () => (await response('/readyz')) === 200, 120_000);
  await until('the log tells of its gap', async () => {
    await response('/v1/');
    return readFileSync(join(dataDir, 'logs', 'api.log'), 'utf8').includes('could not be written and were dropped');
  });
  const ended = await Promise.race([up.ended, Promise.resolve('still running')]);
  expect(ended).toBe('still running');
});
