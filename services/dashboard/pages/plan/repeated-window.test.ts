import { expect, test } from 'vitest';
import { repeatedWindow } from './repeated-window.ts';

const nightly = { window_cron: '0 22 * * *', window_seconds: 7200 };
const at = (time: string) => new Date(`2026-11-28T${time}:00Z`);

test.each([
  ['before a window', '12:00', '2026-11-28T22:00:00.000Z'],
  ['during a window', '23:00', '2026-11-28T22:00:00.000Z'],
  ['after a window', '00:30', '2026-11-28T22:00:00.000Z'],
])('%s, the present or next one is shown', (_, time, start) => {
  const window = repeatedWindow(nightly, at(time));
  expect(window?.next?.start.toISOString()).toBe(start);
  expect(Number(window?.next?.end) - Number(window?.next?.start)).toBe(7_200_000);
});

test('a window starts and ends within the time of the plan', () => {
  const later = repeatedWindow({ ...nightly, window_start: '2026-11-30T12:00:00Z' }, at('12:00'));
  expect(later?.next?.start.toISOString()).toBe('2026-11-30T22:00:00.000Z');
  expect(repeatedWindow({ ...nightly, window_end: '2026-11-28T20:00:00Z' }, at('12:00'))?.next).toBeNull();
});

test('a window follows the clock of its zone', () => {
  const inBerlin = { ...nightly, window_zone: 'Europe/Berlin' };
  expect(repeatedWindow(nightly, at('12:00'))?.zone).toBe('UTC');
  expect(repeatedWindow(inBerlin, at('12:00'))?.next?.start.toISOString()).toBe('2026-11-28T21:00:00.000Z');
  expect(repeatedWindow(inBerlin, new Date('2026-07-01T12:00:00Z'))?.next?.start.toISOString()).toBe(
    '2026-07-01T20:00:00.000Z',
  );
});

test('a plan without a repeated window has none', () => {
  expect(repeatedWindow(undefined, at('12:00'))).toBeNull();
  expect(repeatedWindow({ window_cron: 'every night', window_seconds: 60 }, at('12:00'))).toBeNull();
});
