import { expect, test } from 'vitest';
import type { ResourceSample } from '../record.ts';
import { at, makeRecord } from '../testing/soak-record.ts';
import { judgeGrowth } from './growth.ts';
import { judgeRestarts } from './restarts.ts';

/** An hour of samples, one a minute. */
function hour(of: (minute: number) => { rssMib: number; descriptors: number; rows?: number; pid?: number }) {
  return Array.from({ length: 60 }, (_, minute): ResourceSample => {
    const { rows = 0, pid = 1, ...process } = of(minute);
    return {
      atMs: at(60 * minute),
      processes: new Map([['api-1', { pid, ...process }]]),
      rows: new Map([['log', rows]]),
    };
  });
}

const bounds = [{ table: 'log', rows: 1000 }];
const textsOf = (resources: ResourceSample[]) =>
  judgeGrowth(makeRecord().record({ resources }), bounds).map(({ text }) => text);

test('the judge of growth finds memory, descriptors and rows that grow', () => {
  const found = textsOf(hour((minute) => ({ rssMib: 100 + 4 * minute, descriptors: 20 + minute, rows: 40 * minute })));

  expect(found).toEqual([
    'api-1 grew from 188 to 308 MiB',
    'api-1 grew from 42 to 72 open descriptors',
    'log holds 1800 rows or more from 12:45:00 on; its bound is 1000',
  ]);
});

test('the judge of growth accepts warm-up, a peak, and rows that a task removes', () => {
  const found = textsOf(
    hour((minute) => ({
      rssMib: minute < 15 ? 100 + 20 * minute : minute === 40 ? 900 : 400,
      descriptors: 30 + (minute % 3),
      rows: minute % 10 === 0 ? 100 : 2000,
    })),
  );

  expect(found).toEqual([]);
});

test('the judge of growth compares a process only with itself', () => {
  expect(
    textsOf(hour((minute) => ({ pid: minute < 30 ? 1 : 2, rssMib: minute < 30 ? 100 : 400, descriptors: 9 }))),
  ).toEqual([]);
});

test('the judge of restarts finds ends that the soak did not cause', () => {
  const end = { role: 'api' as const, pid: 7, atMs: at(65), lastLines: [] };
  const record = makeRecord().record({
    ends: [
      { ...end, name: 'api-1', exitCode: 10, bySchedule: false },
      { ...end, name: 'api-2', exitCode: null, bySchedule: true },
    ],
  });

  expect(judgeRestarts(record).map(({ text }) => text)).toEqual(['12:01:05 api-1 (pid 7) ended with exit code 10']);
});
