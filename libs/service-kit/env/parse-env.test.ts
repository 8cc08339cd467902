import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { choice, flag, integer, list, number, text, timeZone, url } from './env-key.ts';
import { parseEnv } from './parse-env.ts';

const schema = {
  PORT: integer({ default: 9322, min: 0, max: 65_535, description: 'port' }),
  LIMIT: integer({ min: 1, max: 10, description: 'limit' }),
  RATIO: number({ default: 0.5, min: 0, max: 1, description: 'ratio' }),
  QUIET: flag({ default: false, description: 'quiet' }),
  LEVEL: choice({ words: ['info', 'warn'], default: 'info', description: 'level' }),
  DATABASE: url({ schemes: ['postgres:'], secret: true, description: 'database' }),
  NAME: text({ default: 'vigil', description: 'name' }),
  PLUGINS: list({ description: 'plugins' }),
} as const;

test('defaults apply where nothing, or an empty text, is given', () => {
  expect(parseEnv(schema, { NAME: '' })).toEqual({
    PORT: 9322,
    LIMIT: undefined,
    RATIO: 0.5,
    QUIET: false,
    LEVEL: 'info',
    DATABASE: undefined,
    NAME: 'vigil',
    PLUGINS: [],
  });
});

test('values are read by their type', () => {
  const given = {
    PORT: '0',
    LIMIT: '10',
    RATIO: '0.25',
    QUIET: 'yes',
    LEVEL: 'warn',
    DATABASE: 'postgres://h/d',
    PLUGINS: 'a, ./b ,',
  };

  expect(parseEnv(schema, given)).toMatchObject({
    PORT: 0,
    LIMIT: 10,
    RATIO: 0.25,
    QUIET: true,
    LEVEL: 'warn',
    DATABASE: 'postgres://h/d',
    PLUGINS: ['a', './b'],
  });
});

test('all errors are reported together, without possible secrets', () => {
  const given = {
    PORT: '70000',
    LIMIT: '2.5',
    RATIO: 'x',
    QUIET: 'maybe',
    LEVEL: 'loud',
    DATABASE: 'mysql://u:hidden@h/d',
  };

  expect(() => parseEnv(schema, given)).toThrow(
    'configuration: PORT must be a whole number from 0 to 65535, not "70000"; ' +
      'LIMIT must be a whole number from 1 to 10, not "2.5"; ' +
      'RATIO must be a number from 0 to 1, not "x"; ' +
      'QUIET must be true or false, not "maybe"; ' +
      'LEVEL must be one of info, warn, not "loud"; ' +
      'DATABASE must be a URL that starts with postgres://',
  );
});

test('a secret may come from a file; the variable itself wins', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-env-'));
  const file = join(folder, 'database');
  writeFileSync(file, 'postgres://from-file/d\n');

  expect(parseEnv(schema, { DATABASE_FILE: file }).DATABASE).toBe('postgres://from-file/d');
  expect(parseEnv(schema, { DATABASE_FILE: file, DATABASE: 'postgres://direct/d' }).DATABASE).toBe(
    'postgres://direct/d',
  );
  expect(() => parseEnv(schema, { DATABASE_FILE: join(folder, 'missing') })).toThrow(
    /DATABASE cannot be read from the file that DATABASE_FILE names/,
  );
  rmSync(folder, { recursive: true });
});

test('a URL has several hosts only where that is said', () => {
  const several = { DATABASE: url({ schemes: ['postgres:'], hosts: true, description: 'database' }) };
  const given = { DATABASE: 'postgres://u:p%2C@a:5432,b/d' };

  expect(parseEnv(several, given)).toEqual(given);
  expect(() => parseEnv(schema, given)).toThrow(/DATABASE must be a URL/);
  for (const wrong of ['postgres://a:x,b/d', 'mysql://a,b/d']) {
    expect(() => parseEnv(several, { DATABASE: wrong })).toThrow(/DATABASE must be a URL that starts with postgres:/);
  }
});

test('a time zone is one of the IANA database', () => {
  const key = timeZone({ default: 'UTC', description: 'zone' });
  expect([key.parse(undefined), key.parse('Europe/Berlin')]).toEqual(['UTC', 'Europe/Berlin']);
  expect(() => parseEnv({ ZONE: key }, { ZONE: 'Europe/Atlantis' })).toThrow(/ZONE must be a time zone such as UTC/);
});
