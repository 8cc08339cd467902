import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

interface Lock {
  packages: Record<string, { version: string; integrity?: string; dev?: boolean }>;
}

const read = () => JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-lock-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function check(lock: Lock) {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const script = resolve('scripts/complete-lockfile.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { cwd: folder, encoding: 'utf8' });
  return { status, stderr };
}

test('the current lock file passes its check', () => {
  expect(check(read())).toEqual({ status: 0, stderr: '' });
});

test('an entry without integrity is reported, also one of another platform', () => {
  const lock = read();
  delete lock.packages['node_modules/@biomejs/cli-win32-arm64']?.integrity;
  delete lock.packages['node_modules/fastify']?.integrity;

  const { status, stderr } = check(lock);

  expect(status).toBe(1);
  expect(stderr).toContain('node_modules/@biomejs/cli-win32-arm64, node_modules/fastify');
  expect(stderr).toContain('npm run lockfile');
});

test('a missing platform is reported', () => {
  const lock = read();
  delete lock.packages['node_modules/@biomejs/cli-win32-arm64'];

  expect(check(lock)).toMatchObject({ status: 1, stderr: expect.stringContaining('1 packages of other platforms') });
});

test('nothing is overridden at run time: overrides do not reach users of the package', () => {
  const { overrides, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    overrides: Record<string, unknown>;
    dependencies: Record<string, string>;
  };
  const { packages } = read();
  const development = Object.keys(overrides).filter((name) => packages[`node_modules/${name}`]?.dev);

  expect(development).toEqual(Object.keys(overrides));
  expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
