import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogFile } from './log-file.ts';

let folder: string;
let lost: number;
const cleanups: (() => void)[] = [];
const onLost = (lines: number): void => {
  lost += lines;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-log-'));
  lost = 0;
});
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * A file on a disk that is full until `empty` is called: a small real one where it can be mounted, otherwise /dev/full.
 */
function fullDisk(): { file: string; empty(): void } {
  const logs = join(folder, 'logs');
  mkdirSync(logs, { mode: 0o700 });
  const file = join(logs, 'api.log');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=0700', 'tmpfs', logs], { stdio: 'ignore' });
  } catch {
    symlinkSync('/dev/full', file);
    return { file, empty: () => unlinkSync(file) };
  }
  cleanups.push(() => execFileSync('umount', [logs]));
  const filler = join(logs, 'filler');
  expect(() => writeFileSync(filler, Buffer.alloc(100_000))).toThrow('ENOSPC');
  return { file, empty: () => unlinkSync(filler) };
}

test('lines for a full disk are dropped, counted and reported, and later ones are written again', async () => {
  const disk = fullDisk();
  const log = openLogFile(disk.file, { onLost });
  log.write('first');
  log.write('second');
  await expect.poll(() => lost).toBe(2);

  disk.empty();
  log.write('third');
  await log.close();

  const [note = '', third] = readFileSync(disk.file, 'utf8').trim().split('\n');
  expect(JSON.parse(note)).toMatchObject({ level: 'warn', lines: 2 });
  expect(third).toBe('third');
  expect(lost).toBe(2);
});

test('a large file is rotated while lines continue, and only its owner can read it', async () => {
  const file = join(folder, 'logs', 'api.log');
  const log = openLogFile(file, { rotateAtBytes: 100, onLost });
  for (let number = 0; number < 10; number += 1) {
    log.write(`${number} `.padEnd(30, '.'));
    await expect.poll(() => readFileSync(file, 'utf8')).toContain(`${number} `);
  }
  await log.close();

  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(`${file}.1`, 'utf8').split('\n')[0]).toMatch(/^4 /);
  expect(readFileSync(file, 'utf8').split('\n')[0]).toMatch(/^8 /);
  expect(lost).toBe(0);
});
