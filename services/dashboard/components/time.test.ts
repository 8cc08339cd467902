import { expect, test } from 'vitest';
import { durationText, fullTime, localeOf, millisOf, zoneName } from './time.tsx';

test.each([
  [0.042, '42\u00a0ms'],
  [1.25, '1.3\u00a0s'],
  [5, '5\u00a0s'],
  [59, '59\u00a0s'],
  [65, '1\u00a0min 5\u00a0s'],
  [720, '12\u00a0min'],
  [3600, '1\u00a0h'],
  [3665, '1\u00a0h 1\u00a0min'],
])('%s seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test('times have the format of the browser where it has the language of the page', () => {
  expect(localeOf('en', ['de-DE', 'en-US', 'en-GB'])).toBe('en-US');
  expect(localeOf('en', ['de-DE'])).toBe('en-GB');
  expect(localeOf('de', ['de-AT'])).toBe('de-AT');
  expect(localeOf('de', ['en-US'])).toBe('de');
});

test('times of the API without an offset are in UTC, and full times name their zone', () => {
  expect(millisOf('2026-11-21T05:00:00')).toBe(Date.UTC(2026, 10, 21, 5));
  expect(millisOf('2026-11-21T05:00:00+02:00')).toBe(Date.UTC(2026, 10, 21, 3));
  expect(millisOf('soon')).toBeNull();
  expect(fullTime('2026-11-21T05:00:00Z')).toMatch(/^(2\d Nov|Nov 2\d,) 2026, \d\d:00:00 \S+/);
  expect(fullTime('soon')).toBe('–');
  expect(fullTime(Date.now()).endsWith(zoneName())).toBe(true);
});
