import { expect, test } from 'vitest';
import { madeOnce, writtenNumber } from './formats.ts';

test('a value of a key is computed once, and another key has a separate value', () => {
  const requested: string[] = [];
  const made = (key: string) =>
    madeOnce(key, () => {
      requested.push(key);
      return { key };
    });
  expect(made('test en')).toBe(made('test en'));
  expect(made('test de')).toEqual({ key: 'test de' });
  expect(requested).toEqual(['test en', 'test de']);
});

test.each([
  [1234.56, 'en', { most: 0 }, '1,235'],
  [1234.56, 'de', { most: 1 }, '1.234,6'],
  [0.5, 'en', { most: 4 }, '0.5'],
  [25, 'en', { least: 1, most: 1 }, '25.0'],
])('%s in %s with %o is %s', (value, locale, digits, text) => {
  expect(writtenNumber(value, locale, digits)).toBe(text);
  // Not a number that was written before with other digits.
  expect(writtenNumber(value, locale, { most: 0 })).toBe(value.toLocaleString(locale, { maximumFractionDigits: 0 }));
});

test('rounding leaves no sign without an amount', () => {
  expect([-1e-15, -0.004, -0.006].map((value) => writtenNumber(value, 'en', { most: 2 }))).toEqual(['0', '0', '-0.01']);
});
