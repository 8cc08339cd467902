import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findOtherWriter, findOtherWriterWithin, ownFolder } from './own-folder.ts';

const isRoot = process.getuid?.() === 0;
const somebody = 65_533;
let base: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'vigil-own-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a new folder is closed to others; one of ours that is open is closed', () => {
  const made = ownFolder(join(base, 'data', 'logs'));
  expect([modeOf(join(base, 'data')), modeOf(made)]).toEqual([0o755, 0o700]);
  const open = join(base, 'open');
  mkdirSync(open);
  chmodSync(open, 0o755);
  expect(modeOf(ownFolder(open))).toBe(0o700);
  expect(modeOf(ownFolder(made, { mode: 0o711 }))).toBe(0o700);
});

test('writable folders are refused: the folder, one above it, and the target of a link', () => {
  const shared = join(base, 'shared');
  mkdirSync(join(shared, 'mine'), { recursive: true });
  chmodSync(shared, 0o777);
  const link = join(base, 'link');
  symlinkSync(join(shared, 'mine'), link);
  for (const path of [shared, join(shared, 'mine'), join(shared, 'new'), link])
    expect(() => ownFolder(path)).toThrow(
      `${shared} can be written by other users; set VIGIL_DATA_DIR to a folder that only you can write`,
    );
  // In a folder as /tmp users cannot replace files of others.
  chmodSync(shared, 0o1777);
  expect(ownFolder(join(shared, 'mine'))).toBe(join(shared, 'mine'));
  expect(findOtherWriter(shared)).toBe(`${shared} can be written by other users`);
});

test('a folder of another user is refused', () => {
  if (!isRoot) {
    // Only root can give a folder to another user. For other users the folders of root are safe, and read-only.
    expect(findOtherWriter(realpathSync('/usr'))).toBeNull();
    return;
  }
  const theirs = join(base, 'theirs');
  mkdirSync(join(theirs, 'data'), { recursive: true });
  chownSync(theirs, somebody, somebody);
  expect(() => ownFolder(join(theirs, 'data'))).toThrow(`${theirs} belongs to uid ${somebody}`);
  expect(findOtherWriter(theirs, somebody)).toBeNull();
  chownSync(theirs, 0, somebody);
  chmodSync(theirs, 0o775);
  expect(() => ownFolder(theirs)).toThrow(`${theirs} can be written by other users`);
});

test('of a folder with programs every file counts, and where links lead', () => {
  const folder = join(base, 'plugin');
  mkdirSync(join(folder, 'lib'), { recursive: true });
  const [file, outside] = [join(folder, 'lib', 'a.js'), join(base, 'b.js')];
  for (const path of [file, outside]) writeFileSync(path, '');
  symlinkSync(outside, join(folder, 'b.js'));
  symlinkSync(folder, join(folder, 'lib', 'itself'));
  symlinkSync(join(base, 'nothing'), join(folder, 'broken'));
  expect(findOtherWriterWithin(folder)).toBeNull();
  for (const path of [folder, join(folder, 'lib'), file, outside, base]) {
    const before = statSync(path).mode;
    chmodSync(path, 0o777);
    expect(findOtherWriterWithin(folder)).toBe(`${path} can be written by other users`);
    chmodSync(path, before);
  }
  if (!isRoot) return;
  chownSync(file, somebody, somebody);
  expect(findOtherWriterWithin(folder)).toBe(`${file} belongs to uid ${somebody}, which can change its content`);
});
