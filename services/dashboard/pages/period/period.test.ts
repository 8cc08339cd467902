import { expect, it } from 'vitest';
import { daysOf, isMonth, monthOf, periodIn, periodOf } from './period.ts';

const at = new Date(2026, 10, 17, 12).getTime();
const november = { fromMs: new Date(2026, 10, 1).getTime(), toMs: new Date(2026, 11, 1).getTime() };

it('has the month of a moment and those before and after it, over the turn of a year', () => {
  expect(monthOf(at)).toEqual(november);
  expect(monthOf(at, 2)).toEqual({ fromMs: new Date(2027, 0, 1).getTime(), toMs: new Date(2027, 1, 1).getTime() });
  expect([isMonth(november), isMonth({ ...november, toMs: at })]).toEqual([true, false]);
});

it('reads the period of a URL, else the current month', () => {
  const query = new URLSearchParams({ from: '2026-05-01T00:00:00.000Z', to: '2026-05-08T00:00:00.000Z' });
  expect(periodIn(query, at)).toEqual({ fromMs: Date.UTC(2026, 4, 1), toMs: Date.UTC(2026, 4, 8) });
  for (const text of ['', 'from=x&to=y', 'from=2026-05-01']) {
    expect(periodIn(new URLSearchParams(text), at)).toEqual(november);
  }
});

it('writes and reads days of date fields, the last one included', () => {
  expect(daysOf(november)).toEqual({ first: '2026-11-01', last: '2026-11-30' });
  expect(periodOf('2026-11-01', '2026-11-30')).toEqual(november);
  expect(periodOf('', '2026-11-30')).toBeNull();
});
