import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDiary } from './diary.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the longest time in which all of them were there, and the longest absence in one piece', () => {
  const diary = createDiary();
  const at = (ms: number) => vi.setSystemTime(ms);
  at(1000);
  const starts = diary.away('readiness of applier-1', 'is missing');
  at(4000);
  starts();
  at(9000);
  const isBack = diary.away('postgres', 'is frozen');
  at(11_000);
  isBack();

  expect(diary.longestPresenceMs(['applier-1'], 0, 12_000)).toBe(12_000);
  expect(diary.longestPresenceMs(['applier-1', 'readiness of applier-1'], 0, 12_000)).toBe(8000);
  expect(diary.longestPresenceMs(['applier-1', 'readiness of applier-1', 'postgres'], 0, 12_000)).toBe(5000);
  expect(diary.longestAbsenceMs(['readiness of applier-1', 'postgres'])).toBe(3000);
  expect(diary.longestAbsenceMs(['applier-1'])).toBe(0);
});
