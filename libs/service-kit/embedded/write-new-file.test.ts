// @needs build
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeNewFile } from './write-new-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-new-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Makes the file in a process whose files may have no content, which every user may request. Returns the code of the
 * error.
 */
function writeWithoutRoom(file: string): string {
  const compiled = resolve('dist/libs/service-kit/embedded/write-new-file.js');
  const code = `import { writeNewFile } from ${JSON.stringify(compiled)};
    try { writeNewFile(${JSON.stringify(file)}, 'secret'); } catch (error) { console.log(error.code); }`;
  const limited = 'ulimit -f 0 && exec "$0" --input-type=module --eval "$1"';
  return execFileSync('sh', ['-c', limited, process.execPath, code], { encoding: 'utf8' }).trim();
}

test('a file that finds no room is not there afterwards, and is made when there is room again', () => {
  const file = join(folder, 'password');
  expect(writeWithoutRoom(file)).toBe('EFBIG');
  expect(readdirSync(folder)).toEqual([]);

  writeNewFile(file, 'secret');
  expect(readFileSync(file, 'utf8')).toBe('secret');
});

test('an existing file is not replaced, and only its owner can read a new one', () => {
  const file = join(folder, 'password');
  writeNewFile(file, 'first');
  expect(() => writeNewFile(file, 'second')).toThrow('EEXIST');
  expect(readFileSync(file, 'utf8')).toBe('first');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['password']);
});
