import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wildcardTest } from './wildcard.ts';

it.each<[string, string[], string[]]>([
  ['', [''], ['a']],
  ['db', ['db'], ['db1', 'DB', '']],
  ['*', ['', 'x', 'a\nb'], []],
  ['db-*', ['db-', 'db-1'], ['db', 'xdb-1']],
  ['*-db', ['-db', '-db-db', 'x-db'], ['-db2']],
  ['a*b*c', ['abc', 'aXbYc', 'abbcc'], ['acb', 'ab', 'abcd']],
  ['g?ld', ['gold', 'g?ld', 'g😀ld'], ['gld', 'goold']],
  ['*?', ['a', 'ab', '😀'], ['']],
  ['[a].$(b)', ['[a].$(b)'], ['a.b']],
])('%s', (pattern, fitting, others) => {
  const fits = wildcardTest(pattern);
  expect(fitting.filter((text) => !fits(text))).toEqual([]);
  expect(others.filter((text) => fits(text))).toEqual([]);
});

it('matches as the definition does', () => {
  const isFit = (pattern: string, text: string): boolean => {
    const [first, rest] = [pattern[0], pattern.slice(1)];
    if (first === undefined) return text === '';
    if (first === '*') return isFit(rest, text) || (text !== '' && isFit(pattern, text.slice(1)));
    return text !== '' && (first === '?' || first === text[0]) && isFit(rest, text.slice(1));
  };
  const letters = (...all: string[]) => fc.string({ unit: fc.constantFrom(...all), maxLength: 8 });
  fc.assert(
    fc.property(letters('a', 'b', '*', '?'), letters('a', 'b'), (pattern, text) => {
      expect(wildcardTest(pattern)(text)).toBe(isFit(pattern, text));
    }),
    { numRuns: 2000, seed: 1 },
  );
});

// A regular expression would not end within the time of the test.
it('no pattern takes forever, regardless of the text', () => {
  for (const pattern of ['*a', '*a?']) expect(wildcardTest(`${pattern.repeat(60)}*b`)('a'.repeat(255))).toBe(false);
});
