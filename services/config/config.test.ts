import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadEnvironment, readFiles, variablesOf } from '#libs/config-file';
import { configure } from '../configure.ts';
import { run } from './main.ts';
import { sampleFile } from './sample.ts';
import { configurationSections } from './sections.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-config-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const none = { files: [], folders: [] };

const usual = { ...process.env };
let out = '';
let err = '';
const forgetSettings = () => {
  for (const name of Object.keys(process.env)) if (/^(VIGIL|OS)_/.test(name)) delete process.env[name];
};
beforeEach(() => {
  forgetSettings();
  out = '';
  err = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  // Values of a file become part of the process environment, which other tests share.
  forgetSettings();
  Object.assign(process.env, usual);
});

/** Runs `vigil config …` as the command does. */
const config = (...words: string[]) => run(configure(['config', ...words], none).slice(1));

const usable = `[vigil]
database_url = postgres://v:pw@db/vigil
log_level = warn
[vigil-api]
port = 9000
[openstack]
auth_url = http://k:5000/v3
username = v
password = hush
project_name = service
`;

test('check validates a file for every process, and reports unused keys', async () => {
  const good = file('good.conf', usable);
  expect(await config('check', '--config-file', good), out + err).toBe(0);
  const bad = file(
    'bad.conf',
    `${usable}portt = 1\n[vigil]\nprometheus_ur = x\naudit_workers = none\n[vigil-applier]\nlog_level = loud\n[api]\nhots = a\n`,
  );
  expect(await config('check', '--config-file', bad)).toBe(78);
  expect(out).toContain('fault (decision-engine): VIGIL_AUDIT_WORKERS must be a whole number from 1 to 64, not "none"');
  expect(out).toContain('fault (applier): VIGIL_LOG_LEVEL must be one of debug, info, warn, error, not "loud"');
  expect(out).toContain('warning: VIGIL_PROMETHEUS_UR: no process reads it; VIGIL_PROMETHEUS_URL?');
  expect(out).toContain('[api] hots: Watcher has no such option; host?');
});

test('show prints values with their sources, without secrets', async () => {
  const good = file('good.conf', usable);
  process.env.VIGIL_LOG_LEVEL = 'debug';
  expect(await config('show', '--process', 'api', '--json', '--config-file', good)).toBe(0);
  const shown = JSON.parse(out) as { key: string; value: string; from: string }[];
  expect(shown).toContainEqual({ key: 'VIGIL_LOG_LEVEL', value: 'debug', from: 'environment' });
  expect(shown).toContainEqual({ key: 'VIGIL_PORT', value: '9000', from: `${good}:5` });
  expect(shown).toContainEqual({ key: 'VIGIL_DATABASE_URL', value: '(set)', from: `${good}:2` });
  expect(out).not.toMatch(/hush|pw@/);
});

test('the sample has every key once, and is a file that says nothing yet', () => {
  const sample = sampleFile();
  expect(variablesOf(readFiles({ files: [file('sample.conf', sample)], folders: [] }), null).size).toBe(0);
  const set = file('all.conf', sample.replaceAll(/^#(\w+ = )/gm, '$1'));
  const names = [...loadEnvironment({}, { files: [set], folders: [] }, null).variables.keys()];
  const production = configurationSections.filter(({ process: name }) => name !== 'up' && name !== 'simulator');
  expect(names).toEqual(expect.arrayContaining(production.flatMap(({ schema }) => Object.keys(schema))));
  expect(sample.match(/^#log_level = /gm)).toHaveLength(1);
  expect(Math.max(...sample.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125);
});

/** Without the last line, which has paths. */
const importReportLines = (text: string) => text.slice(0, text.indexOf('Written:')).split('\n');

test('import converts the files of Watcher once, and reports a verdict for each option', async () => {
  const watcher = file(
    'watcher.conf',
    '[DEFAULT]\ndebug = true\n[api]\nport = 9322\n[keystone_authtoken]\npassword = a$$b\n[database]\nconnection = mysql+pymysql://w:pw@db/w\nmax_retries = -1\nmax_pool_size = 1\n[oslo_messaging_rabbit]\nheartbeat_in_pthread = false\n',
  );
  const output = join(folder, 'made.conf');
  expect(await config('import', watcher, '--output', output), err).toBe(0);
  expect(out).toContain('[DEFAULT] debug -> [vigil] log_level');
  expect(out).toMatch(/To do \(1\)\n {2}\[database\] connection\n {6}mysql\+pymysql is not supported/);
  expect(out).toContain('  [database] max_retries, max_pool_size\n      Vigil has its own pools and time limits\n');
  expect(Math.max(...importReportLines(out).map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(out).not.toContain('pw@');
  expect(statSync(output).mode & 0o777).toBe(0o600);
  const { environment } = loadEnvironment({}, { files: [output], folders: [] }, null);
  expect(environment).toMatchObject({ VIGIL_LOG_LEVEL: 'debug', VIGIL_PORT: '9322', OS_PASSWORD: 'a$b' });
  expect(await config('import', watcher, '--output', output)).toBe(2);
  expect(readFileSync(output, 'utf8')).toContain('Made by vigil config import');
});

test('files reach the environment of the process, and are refused with the line', () => {
  const good = file('good.conf', usable);
  expect(configure(['api', '--config-file', good], none)).toEqual(['api']);
  expect(process.env.VIGIL_PORT).toBe('9000');
  const broken = file('broken.conf', '[vigil\n');
  expect(() => configure(['api', `--config-file=${broken}`], none)).toThrow(`${broken}:1: a section is [name]`);
});
