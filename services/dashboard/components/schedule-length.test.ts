import { expect, test } from 'vitest';
import { scheduleLength } from './schedule-length.ts';

const from = new Date('2026-11-30T09:07:00Z');

test('schedules of seconds and cron expressions have one order, from often to seldom', () => {
  const mixed = ['0 3 * * 1', '86400', '*/15 * * * *', '90', '0 3 1 * *', null, 'x', '0 * * * *'];
  expect(mixed.toSorted((a, b) => scheduleLength(a, from) - scheduleLength(b, from)).slice(0, 6)).toEqual([
    ...['90', '*/15 * * * *', '0 * * * *', '86400', '0 3 * * 1', '0 3 1 * *'],
  ]);
  expect([scheduleLength('*/15 * * * *', from), scheduleLength('0 3 * * *', from)]).toEqual([900, 86_400]);
  for (const none of [null, '', 'x']) expect(scheduleLength(none, from)).toBe(Number.POSITIVE_INFINITY);
});
