import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  filesOf,
  loadEnvironment,
  reloadEnvironment,
  takeFileOptions,
  withOwnVariables,
} from './load-configuration.ts';
import { parseIni } from './parse-ini.ts';
import { readFiles } from './read-files.ts';
import { substitute } from './substitute.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-conf-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const none = { files: [], folders: [] };

test('options of Watcher in the environment count before those of files, as in oslo.config', () => {
  const path = file('environment.conf', '[api]\nport = 1\nhost = 10.0.0.1\n');
  const environment = { OS_API__PORT: '9000', OS_DEFAULT__HOST: 'node-1', OS_USERNAME: 'a', OS__X: 'b', OS_API__: 'c' };
  const { environment: loaded, variables } = loadEnvironment(environment, { files: [path], folders: [] }, 'api');
  expect(loaded).toMatchObject({ VIGIL_PORT: '9000', VIGIL_HOST: '10.0.0.1', VIGIL_HOST_ID: 'node-1' });
  expect(variables.get('VIGIL_PORT')?.origin).toBe('OS_API__PORT');
  expect(loadEnvironment({ OS_API__PORT: '9000', VIGIL_PORT: '1' }, none, 'api').environment.VIGIL_PORT).toBe('1');
  expect(loadEnvironment({ OS_API__PORT: '9000' }, none, 'api').environment.VIGIL_PORT).toBe('9000');
});

describe('the format', () => {
  test('has sections, comments, values over several lines and quotes, as oslo.config reads them', () => {
    const { entries, faults } = parseIni(
      'a = 1\n# no\n;no\n[one]\nb: x = y\nlong = 1,\n   2,\n\n\tlost\nc = "q"\nd = \'\nempty =\nb = again\nnothing\n[]\n',
      'f',
    );
    expect(entries.map(({ section, key, value, line }) => [section, key, value, line])).toEqual([
      ['DEFAULT', 'a', '1', 1],
      ['one', 'b', 'x = y', 5],
      ['one', 'long', '1,\n2,', 6],
      ['one', 'c', 'q', 10],
      ['one', 'd', "'", 11],
      ['one', 'empty', '', 12],
      ['one', 'b', 'again', 13],
    ]);
    expect(faults).toEqual([
      'f:9: an indented line continues nothing',
      'f:14: neither a section nor key = value',
      'f:15: a section is [name]',
    ]);
  });

  test.each([
    ['$host:$other.port', 'h:1', []],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the form of oslo.config
    ['${host}${other.port}', 'h1', []],
    ['$$host \\$host', '$host $host', []],
    ['$top', 'of DEFAULT', []],
    ['$none', '$none', ['none']],
    ['$loop', '$loop', ['loop']],
  ])('%s stands for %s', (value, result, unresolved) => {
    const { entries } = parseIni(
      `top = of DEFAULT\n[s]\nhost = h\nloop = $loop\nx = ${value}\n[other]\nport = 1\n`,
      'f',
    );
    const entry = entries.find(({ key }) => key === 'x');
    expect(substitute(entry!, entries)).toEqual({ value: result, unresolved });
  });

  test('all faults of all files are reported at once', () => {
    const broken = file('broken.conf', 'nonsense\n');
    const read = () => readFiles({ files: [broken, join(folder, 'absent')], folders: [] });
    expect(read).toThrow(/broken.conf:1: neither.*absent cannot be read: ENOENT/);
  });
});

describe('an environment with files', () => {
  const main = file(
    'vigil.conf',
    '[vigil]\nport = 1\nlog_level = info\nhost-id = $[x\n[vigil-api]\nlog_level = debug\n[openstack]\nauth_url = http://k\n[api]\nport = 9\nhost = of-watcher\n',
  );
  const more = join(folder, 'conf.d');
  mkdirSync(more);
  writeFileSync(join(more, '20.conf'), '[vigil]\nport = 3\n');
  writeFileSync(join(more, '10.conf'), '[vigil]\nport = 2\n');
  writeFileSync(join(more, 'no.txt'), 'nonsense');
  const files = { files: [main], folders: [more] };

  test('has its own variables first, then the section of the process, ours, and the names of Watcher', () => {
    const { environment, variables } = loadEnvironment({ VIGIL_HOST_ID: 'mine', PATH: 'p' }, files, 'api');
    expect(environment).toMatchObject({
      PATH: 'p',
      VIGIL_HOST_ID: 'mine',
      VIGIL_PORT: '3',
      VIGIL_LOG_LEVEL: 'debug',
      VIGIL_HOST: 'of-watcher',
      OS_AUTH_URL: 'http://k',
    });
    expect(variables.get('VIGIL_LOG_LEVEL')?.origin).toBe(`${main}:6`);
    expect(loadEnvironment({}, files, 'applier').environment.VIGIL_LOG_LEVEL).toBe('info');
    expect(loadEnvironment({ VIGIL_PORT_FILE: '/f' }, files, null).environment.VIGIL_PORT).toBeUndefined();
  });

  test('is read again by a child and after a change, except for settings of the parent', () => {
    const parent = loadEnvironment({}, files, null).environment;
    const child = withOwnVariables(parent, { VIGIL_PORT: '77' });
    writeFileSync(join(more, '20.conf'), '[vigil]\nport = 4\nlog_level = warn\n');
    expect(reloadEnvironment(child, 'applier')?.environment).toMatchObject({
      VIGIL_PORT: '77',
      VIGIL_LOG_LEVEL: 'warn',
    });
    expect(reloadEnvironment(parent, 'api')?.environment).toMatchObject({ VIGIL_PORT: '4', VIGIL_LOG_LEVEL: 'debug' });
    expect(reloadEnvironment({ PATH: 'p' }, 'api')).toBeNull();
  });

  test('finds files by options, by variables, or where they usually are', () => {
    expect(takeFileOptions(['api', '--config-file', 'a', '--config-dir=b', '--config-file=c', '--x'])).toEqual({
      files: ['a', 'c'],
      folders: ['b'],
      rest: ['api', '--x'],
    });
    expect(() => takeFileOptions(['--config-file'])).toThrow('needs a path');
    expect(filesOf({ VIGIL_CONFIG_FILE: 'a:b' }, none)).toEqual({ files: ['a', 'b'], folders: [] });
    const usual = { files: [main, join(folder, 'absent')], folders: [] };
    expect(filesOf({}, usual)).toEqual({ files: [main], folders: [] });
  });
});
