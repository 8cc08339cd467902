import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type PackageSet, prepareDebianPackages, unpackDebianPackages } from './debian-packages.ts';
import { minimalStatus } from './private-apt.ts';

const small: PackageSet = { name: 'small', packages: ['media-types'] };
const shipped = 'etc/mime.types';
let cacheDir: string;

beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'vigil-test-packages-'));
});
// The lists of packages stay, as between two runs: reading them again takes seconds of processor time.
afterEach(async () => {
  const left = (await readdir(cacheDir)).filter((entry) => entry !== 'apt');
  await Promise.all(left.map((entry) => rm(join(cacheDir, entry), { recursive: true, force: true })));
});
afterAll(() => rm(cacheDir, { recursive: true, force: true }));

const halfDone = async () => (await readdir(cacheDir)).filter((entry) => entry.startsWith('.unpacking-'));

test('of two runs at once one prepares and the other waits; a later one finds everything there', async () => {
  const reported: string[][] = [[], []];
  await Promise.all(reported.map((lines) => prepareDebianPackages(cacheDir, [small], (line) => lines.push(line))));
  const preparing = reported.filter((lines) => lines.some((line) => line.startsWith('downloading ')));
  const waiting = reported.filter((lines) => lines.some((line) => line.includes('waiting')));
  expect(preparing).toHaveLength(1);
  expect(waiting).toHaveLength(1);
  expect(preparing[0]?.at(-1)).toMatch(/^prepared in \d+ s/);
  const later: string[] = [];
  await prepareDebianPackages(cacheDir, [small], (line) => later.push(line));
  expect(later).toEqual([]);
  await access(join(await unpackDebianPackages(cacheDir, small), shipped));
});

test('a run that was killed in the middle leaves nothing that hinders the next', async () => {
  const script = `
    import { prepareDebianPackages } from ${JSON.stringify(resolve('dist/tests/servers/debian-packages.js'))};
    const relocate = () => { console.log('unpacked'); return new Promise(() => setInterval(() => {}, 1000)); };
    await prepareDebianPackages(process.argv[1], [{ ...${JSON.stringify(small)}, relocate }]);
  `;
  const killed = spawn(process.execPath, ['--input-type=module', '-e', script, cacheDir], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(killed.stdout, 'data');
  expect(await halfDone()).not.toEqual([]);
  killed.kill('SIGKILL');
  await once(killed, 'close');
  await access(join(await unpackDebianPackages(cacheDir, small), shipped));
  expect(await halfDone()).toEqual([]);
});

test('packages that two programs come from are unpacked once', async () => {
  const reported: string[] = [];
  await prepareDebianPackages(cacheDir, [small, { ...small }], (line) => reported.push(line));
  expect(reported.filter((line) => line.startsWith('small is ready'))).toHaveLength(1);
});

test('unavailable packages are an error with the remedy', async () => {
  const set: PackageSet = { name: 'rabbitmq', packages: ['vigil-has-no-such-package'] };
  await expect(prepareDebianPackages(cacheDir, [set], () => undefined)).rejects.toThrow(
    /^the tests need rabbitmq from Debian packages .*VIGIL_TEST_AMQP_URL.*vigil-has-no-such-package/s,
  );
});

test('packages are chosen as on a Debian where nothing is installed', () => {
  const stanza = (name: string, line: string) =>
    `Package: ${name}\nStatus: install ok installed\n${line}\nVersion: 1\nArchitecture: amd64\nDepends: other\n`;
  const status = [
    stanza('dash', 'Essential: yes'),
    stanza('libssl3', 'Priority: optional'),
    stanza('libc6', 'Priority: optional'),
  ].join('\n');
  expect(minimalStatus(status)).toBe(
    ['dash', 'libc6']
      .map((name) => `Package: ${name}\nStatus: install ok installed\nVersion: 1\nArchitecture: amd64\n\n`)
      .join(''),
  );
});
