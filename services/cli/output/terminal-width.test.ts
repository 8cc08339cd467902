import { expect, test } from 'vitest';
import { terminalWidth } from './terminal-width.ts';

test.each([
  [{}, 120, 120],
  [{}, 0, 80],
  [{}, undefined, 80],
  [{ COLUMNS: '100' }, 120, 100],
  [{ COLUMNS: '0' }, 120, 120],
  [{ COLUMNS: 'wide' }, undefined, 80],
  [{ COLUMNS: '' }, 0, 80],
])('with %j and a reported width of %s it is %i', (env, reported, width) => {
  expect(terminalWidth(env, reported)).toBe(width);
});
