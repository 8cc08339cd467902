import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { copyPrograms } from './reachable-programs.ts';

const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Programs in a private folder. */
function makePrograms(): string {
  const native = mkdtempSync(join(tmpdir(), 'vigil-programs-'));
  folders.push(native);
  mkdirSync(join(native, 'bin'));
  writeFileSync(join(native, 'bin', 'postgres'), 'program', { mode: 0o755 });
  chmodSync(join(native, 'bin', 'postgres'), 0o777);
  return native;
}

test('root gets a copy that only root can write; changed or planted files are refused; other users get an error', () => {
  const native = makePrograms();
  const name = basename(native);
  if (!isRoot) {
    expect(() => copyPrograms(native, name, nobody)).toThrow(/install Vigil where all users can read/);
    return;
  }
  const copy = copyPrograms(native, name, nobody);
  folders.push(copy);
  const program = join(copy, 'bin', 'postgres');
  expect(statSync(program).mode & 0o777).toBe(0o755);
  expect(copyPrograms(native, name, nobody)).toBe(copy);

  chmodSync(program, 0o777);
  expect(() => copyPrograms(native, name, nobody)).toThrow(`${program} can be written by other users`);
  chmodSync(program, 0o755);
  writeFileSync(program, 'another program');
  expect(() => copyPrograms(native, name, nobody)).toThrow(`${program} is not the file that was installed`);
  rmSync(program);
  expect(() => copyPrograms(native, name, nobody)).toThrow(`${program} is missing`);
  expect(existsSync(copy)).toBe(true);
});
