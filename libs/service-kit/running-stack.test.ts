import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { announceStack, findRunningStack, withRunningStack } from './running-stack.ts';

const env = {
  VIGIL_DATABASE_URL: 'postgres://vigil:secret@127.0.0.1:5000/vigil?x=1',
  VIGIL_API_URL: 'http://127.0.0.1:9322',
  OS_AUTH_URL: 'http://127.0.0.1:9390/identity/v3',
  OS_PASSWORD: 'secret',
  HOME: '/root',
};

let dataDir: string;
let path: string;
let here: NodeJS.ProcessEnv;

beforeEach(() => {
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'vigil-running-')));
  path = join(dataDir, 'running.json');
  here = { VIGIL_DATA_DIR: dataDir };
  return () => rmSync(dataDir, { recursive: true, force: true });
});

describe('the state file of a running stack', () => {
  it('is readable by its owner only, and removed at the end', () => {
    const takeBack = announceStack(dataDir, { env, operatorEnv: { OS_USERNAME: 'admin' } });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { HOME: _, ...told } = env;
    expect(findRunningStack(here)).toEqual({
      pid: process.pid,
      dataDir,
      env: told,
      operatorEnv: { OS_USERNAME: 'admin' },
    });
    takeBack();
    expect(findRunningStack(here)).toBeNull();
  });

  it('is found for the demo too', () => {
    mkdirSync(join(dataDir, 'demo'), { mode: 0o700 });
    announceStack(join(dataDir, 'demo'), { env });
    expect(findRunningStack(here)).toMatchObject({ dataDir: join(dataDir, 'demo') });
  });

  it('replaces unset variables, and reports that without passwords', () => {
    announceStack(dataDir, { env });
    const lines: string[] = [];
    const report = (line: string) => void lines.push(line);
    expect(withRunningStack({ ...here, VIGIL_API_URL: '' }, report)).toMatchObject({ ...here, OS_PASSWORD: 'secret' });
    expect(lines).toEqual([
      `using the running Vigil (pid ${process.pid}) in ${dataDir}: API http://127.0.0.1:9322, database 127.0.0.1:5000/vigil, cloud http://127.0.0.1:9390/identity/v3`,
    ]);
    const ownCloud = { ...here, OS_AUTH_URL: 'http://k', OS_TOKEN: 't' };
    const merged = withRunningStack(ownCloud, report);
    expect(merged).toMatchObject({ ...ownCloud, VIGIL_DATABASE_URL: env.VIGIL_DATABASE_URL });
    expect(merged).not.toHaveProperty('OS_PASSWORD');
    const ownDatabase = { ...here, VIGIL_DATABASE_URL: 'postgres://other' };
    expect(withRunningStack(ownDatabase, report)).toBe(ownDatabase);
    expect(lines).toHaveLength(2);
  });
});

describe('is not believed', () => {
  it('when its process has ended, or its number belongs to another one', () => {
    announceStack(dataDir, { env });
    const reported = { pid: process.pid, startedAs: 'another boot/1', env, operatorEnv: {} };
    writeFileSync(path, JSON.stringify(reported));
    expect(findRunningStack(here)).toBeNull();
    writeFileSync(path, JSON.stringify({ ...reported, pid: 2 ** 22 + 1, startedAs: null }));
    expect(findRunningStack(here)).toBeNull();
  });

  it('when others can read or write it', () => {
    announceStack(dataDir, { env });
    chmodSync(path, 0o640);
    expect(() => findRunningStack(here)).toThrow(/can be read or written by other users and is not used: run this as/);
  });

  it('when others can write the folder', () => {
    announceStack(dataDir, { env });
    chmodSync(dataDir, 0o777);
    expect(() => findRunningStack(here)).toThrow(/can be written by other users/);
  });

  it('when it is a symbolic link', () => {
    announceStack(dataDir, { env });
    renameSync(path, `${path}.real`);
    symlinkSync(`${path}.real`, path);
    expect(() => findRunningStack(here)).toThrow(/is a symbolic link/);
  });

  it.runIf(process.getuid?.() === 0)('when it belongs to another user, even to root', () => {
    announceStack(dataDir, { env });
    chownSync(path, 65_534, 65_534);
    expect(() => findRunningStack(here)).toThrow(/belongs to uid 65534/);
  });

  it('when it is damaged', () => {
    writeFileSync(path, '{', { mode: 0o600 });
    expect(() => findRunningStack(here)).toThrow(/is damaged .*: remove it/);
  });
});
