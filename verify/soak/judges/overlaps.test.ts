import { expect, test } from 'vitest';
import { at, makeRecord } from '../testing/soak-record.ts';
import { judgeOverlaps } from './overlaps.ts';

const both = () => makeRecord().plan('a', { RECOMMENDED: 0 }).plan('b', { RECOMMENDED: 0 });

test('the judge of overlaps finds two plans that change one host in turn', () => {
  const record = both()
    .migrate('a', { from: 'compute-1', to: 'compute-2', start: 10, end: 12 })
    .migrate('b', { from: 'compute-3', to: 'compute-2', start: 15, end: 17 })
    .migrate('a', { from: 'compute-4', to: 'compute-2', start: 20, end: 22 })
    .record();

  const faults = judgeOverlaps(record);

  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatchObject({
    text: 'two plans changed compute-2 at the same time: a 12:00:10 to 12:00:22, b 12:00:15 to 12:00:17',
    atMs: at(15),
  });
});

test('the judge of overlaps finds a plan that starts while a migration of another one runs, once for both hosts', () => {
  const record = both()
    .migrate('a', { from: 'compute-1', to: 'compute-2', start: 10, end: 30 })
    .migrate('b', { from: 'compute-2', to: 'compute-1', start: 20, end: 25 })
    .record();

  expect(judgeOverlaps(record)).toHaveLength(1);
});

test('the judge of overlaps accepts plans one after the other, on other hosts, and refused requests', () => {
  const record = both()
    .migrate('a', { from: 'compute-1', to: 'compute-2', start: 10, end: 12 })
    .migrate('b', { from: 'compute-1', to: 'compute-2', start: 12, end: 15 })
    .migrate('a', { from: 'compute-5', to: 'compute-6', start: 10, end: 40 })
    .migrate('b', { from: 'compute-7', to: 'compute-6', start: 20, end: 20, response: 409 })
    .record();

  expect(judgeOverlaps(record)).toEqual([]);
});
