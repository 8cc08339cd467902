import { expect, onTestFinished, test, vi } from 'vitest';
import { labelledWeeks, weekDate, weekLabel } from './week-axis.ts';

test('labels are evenly apart, at most six, and the last week has one', () => {
  expect(labelledWeeks(4)).toEqual([0, 1, 2, 3]);
  expect(labelledWeeks(12)).toEqual([1, 3, 5, 7, 9, 11]);
  expect(labelledWeeks(1)).toEqual([0]);
  for (let count = 1; count <= 60; count += 1) {
    expect(labelledWeeks(count).length, String(count)).toBeLessThanOrEqual(6);
    expect(labelledWeeks(count).at(-1), String(count)).toBe(count - 1);
    expect(labelledWeeks(count)[0], String(count)).toBeGreaterThanOrEqual(0);
  }
});

test('a week has the date of its Monday in UTC, in the first locale of the browser', () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('navigator', { languages: ['en-US', 'en-GB'] });
  expect([weekLabel('2026-11-23'), weekDate('2026-11-23')]).toEqual(['Nov 23', 'Nov 23, 2026']);
  vi.stubGlobal('navigator', { languages: ['de-DE'] });
  expect([weekLabel('2026-11-23'), weekDate('2026-11-23')]).toEqual(['23 Nov', '23 Nov 2026']);
});
