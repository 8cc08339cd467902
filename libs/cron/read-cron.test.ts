import { expect, test } from 'vitest';
import { CronTextError, isTimeZone, readCron, timeZones } from './read-cron.ts';

// A Sunday.
const from = new Date('2026-11-22T05:00:30Z');
const next = (text: string, timeZone?: string) => readCron(text, timeZone).next(from)?.toISOString();

test.each([
  ['0 3 * * 6', '2026-11-28T03:00:00.000Z'],
  ['0 3 * * 6 0', '2026-11-28T03:00:00.000Z'],
  ['0 22 * * * 30', '2026-11-22T22:00:30.000Z'],
  ['* * * * * */20', '2026-11-22T05:00:40.000Z'],
  ['  5   5 * * *  ', '2026-11-22T05:05:00.000Z'],
  ['0 0 13 * 5', '2026-11-27T00:00:00.000Z'],
  ['0 0 * * 7', '2026-11-29T00:00:00.000Z'],
  ['0 0 * * 0', '2026-11-29T00:00:00.000Z'],
  ['@hourly', '2026-11-22T06:00:00.000Z'],
  ['@daily', '2026-11-23T00:00:00.000Z'],
])('%j', (text, time) => {
  expect(next(text)).toBe(time);
});

test('a time zone decides, over its change to winter time too', () => {
  expect(next('0 3 * * *', 'Europe/Berlin')).toBe('2026-11-23T02:00:00.000Z');
  expect(readCron('0 3 * * *', 'Europe/Berlin').next(new Date('2026-10-24T12:00:00Z'))?.toISOString()).toBe(
    '2026-10-25T02:00:00.000Z',
  );
});

const days = (text: string, zone: string, after: string, count = 3) =>
  readCron(text, zone)
    .upcoming(count, new Date(after))
    .map((time) => time.toISOString().slice(5, 16));

test.each([
  ['Europe/Berlin', '2026-03-28T00:00:00Z', ['03-28T01:30', '03-29T01:00', '03-30T00:30']],
  ['America/New_York', '2026-03-07T00:00:00Z', ['03-07T07:30', '03-08T07:00', '03-09T06:30']],
])('02:30 in %s, which does not exist on one day, comes at the end of the gap', (zone, after, times) => {
  expect(days('30 2 * * *', zone, after)).toEqual(times);
});

test('a time of day that occurs twice comes once, the first time', () => {
  expect(days('30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00:00Z')).toEqual([
    ...['10-24T00:30', '10-25T00:30', '10-26T01:30'],
  ]);
  expect(days('30 2 * * *', 'Europe/Berlin', '2026-10-25T00:45:00Z', 1)).toEqual(['10-26T01:30']);
  expect(days('30 1 * * *', 'America/New_York', '2026-11-01T05:00:00Z', 2)).toEqual(['11-01T05:30', '11-02T06:30']);
});

test('zones are IANA names, and no offsets', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'europe/berlin'])
    expect(isTimeZone(name), name).toBe(true);
  for (const name of ['', '+02:00', 'Berlin', 'Europe/Berlin;', 'x'.repeat(200)])
    expect(isTimeZone(name), name).toBe(false);
  expect(timeZones().filter((name) => name === 'UTC' || name === 'Europe/Berlin')).toEqual(['UTC', 'Europe/Berlin']);
});

test('the present time is past; several times come in order, and none for an impossible date', () => {
  const cron = readCron('0 3 * * *');
  expect(cron.next(new Date('2026-11-22T03:00:00Z'))?.toISOString()).toBe('2026-11-23T03:00:00.000Z');
  expect(cron.upcoming(3, from).map((time) => time.getUTCDate())).toEqual([23, 24, 25]);
  expect(readCron('0 0 30 2 *').next(from)).toBeNull();
  expect(readCron('0 0 30 2 *').upcoming(3, from)).toEqual([]);
});

test.each([
  ['', 'fields'],
  ['every day', 'fields'],
  ['* * * *', 'fields'],
  ['* * * * * * *', 'fields'],
  ['2026-12-01T00:00:00', 'fields'],
  ['61 * * * *', 'range'],
  ['0 3 * * 6 60', 'range'],
  ['a b c d e', 'text'],
  ['@never', 'text'],
])('%j is not a cron expression: %s', (text, fault) => {
  expect(() => readCron(text)).toThrow(CronTextError);
  expect(() => readCron(text)).toThrow(expect.objectContaining({ fault }));
});

test('a time zone that does not exist is reported', () => {
  expect(() => readCron('@daily', 'Mars/Olympus')).toThrow(expect.objectContaining({ fault: 'time zone' }));
});
