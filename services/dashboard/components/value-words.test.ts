import { afterEach, expect, test } from 'vitest';
import { de, deNames } from '../texts/de/index.ts';
import { en } from '../texts/en/index.ts';
import { setCatalogue } from '../texts/texts.ts';
import { valueWords } from './value-words.ts';

afterEach(() => setCatalogue('en', en));

test('truth values are words of the language of the page, also within lists and objects', () => {
  const values = [true, false, [true, false], { any_reason: true }];
  expect(values.map((value) => valueWords(value))).toEqual(['yes', 'no', 'yes, no', 'any reason\u00a0= yes']);
  setCatalogue('de', de, deNames);
  expect(values.slice(0, 3).map((value) => valueWords(value))).toEqual(['ja', 'nein', 'ja, nein']);
});

test('numbers of parameters have the unit of their schema, also within objects', () => {
  const seconds = { 'x-unit': 's' };
  expect(valueWords(3600, seconds)).toBe('3,600\u00a0s');
  const periods = { properties: { instance: seconds, other: {} } };
  expect(valueWords({ instance: 720, other: 1 }, periods)).toBe('instance\u00a0= 720\u00a0s, other\u00a0= 1');
  setCatalogue('de', de, deNames);
  expect(valueWords(2, { 'x-unit': 'points' })).toBe('2\u00a0Punkte');
});

test('nothing, numbers and names of settings have their own words', () => {
  expect([null, [], {}, 0.5, 'VIGIL_FAILURE_RESERVE'].map((value) => valueWords(value))).toEqual([
    '–',
    'none',
    'none',
    '0.5',
    'VIGIL_FAILURE_RESERVE',
  ]);
});

test('patterns of properties keep their names', () => {
  expect(valueWords(['os_type=windows', 'os_distro=windows*'])).toBe('os_type=windows, os_distro=windows*');
});
