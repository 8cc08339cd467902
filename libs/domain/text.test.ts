import { expect, it } from 'vitest';
import { nearestName } from './text.ts';

const known = ['window_start', 'window_end', 'max_workers', 'max_migrations', 'on_failure'];

it.each([
  ['windows_start', 'window_start'],
  ['max_worker', 'max_workers'],
  ['Max_Wrokers', 'max_workers'],
  ['onfailure', 'on_failure'],
  ['window', null],
  ['', null],
  ['x'.repeat(100_000), null],
])('%.20s: %s', (given, nearest) => {
  expect(nearestName(given, known)).toBe(nearest);
});

it('finds nothing near to an unrelated name', () => {
  expect(nearestName('a', [])).toBeNull();
});
