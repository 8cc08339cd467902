import { describe, expect, it } from 'vitest';
import type { OutcomeMeasurement } from './plan-measurement.ts';
import { currentValues, judgePromises, type PromisedQuantity, promisesOf } from './plan-promises.ts';

const quantities = [
  {
    quantity: 'cpu_load' as const,
    deviation: { before: 21, after: 2 },
    highestBefore: 92,
    fullest: { hostname: 'a', before: 92, after: 61 },
  },
  {
    quantity: 'memory' as const,
    deviation: { before: 5.04, after: 4 },
    highestBefore: 70,
    fullest: { hostname: 'b', before: 50, after: 72.26 },
  },
  {
    quantity: 'disk' as const,
    deviation: { before: 1, after: 1 },
    highestBefore: 7,
    fullest: { hostname: 'b', before: 7, after: 7 },
  },
];
const promises = promisesOf({ quantities, duration: { low: 60, high: 90 } });

const measured: OutcomeMeasurement = { state: 'ACHIEVED', reason: null, overlaps: [], dueAt: null };
const kept: [PromisedQuantity, number][] = [
  ['cpu_load_highest', 66],
  ['cpu_load_deviation', 0],
  ['memory_highest', 71.3],
  ['memory_deviation', 4.4],
];
const judged = (values = kept, { measurement = measured, seconds = 75, notCarriedOut = 0 } = {}) =>
  judgePromises(promises, { measurement, values: new Map(values), seconds, notCarriedOut });
const verdicts = (...given: Parameters<typeof judged>) => judged(...given).map(({ verdict }) => verdict);

describe('promises of a plan', () => {
  it('are ranges around the predicted load and memory of the hosts, and the estimated duration', () => {
    expect(promises).toEqual([
      { quantity: 'cpu_load_highest', low: 56, high: 66 },
      { quantity: 'cpu_load_deviation', low: 0, high: 5 },
      { quantity: 'memory_highest', low: 71.3, high: 73.3 },
      { quantity: 'memory_deviation', low: 3, high: 5 },
      { quantity: 'duration', low: 60, high: 90 },
    ]);
    expect(promisesOf({})).toEqual([]);
  });

  it('are kept within the range, including its ends', () => {
    expect(verdicts()).toEqual(promises.map(() => 'WITHIN'));
    expect(judged()[2]).toMatchObject({ achieved: 71.3, reason: null });
  });

  it('are not kept below or above the range', () => {
    const values: typeof kept = [
      ['cpu_load_highest', 66.1],
      ['cpu_load_deviation', 5.1],
      ['memory_highest', 71.2],
      ['memory_deviation', 2.9],
    ];
    expect(verdicts(values, { seconds: 200 })).toEqual(['ABOVE', 'ABOVE', 'BELOW', 'BELOW', 'ABOVE']);
  });

  it('about hosts have no verdict without a measurement, or with concurrent plans; the duration has one', () => {
    const reason = 'before: no result';
    const missing = judged(kept, { measurement: { ...measured, state: 'NOT_MEASURED', reason } });
    expect(missing[0]).toMatchObject({ verdict: 'NOT_MEASURED', achieved: null, reason });
    expect(missing[4]).toMatchObject({ verdict: 'WITHIN', achieved: 75 });
    const shared = verdicts(kept, { measurement: { ...measured, state: 'NOT_ATTRIBUTABLE', overlaps: ['other'] } });
    expect(shared).toEqual([...Array(4).fill('NOT_ATTRIBUTABLE'), 'WITHIN']);
    expect(verdicts([])).toEqual([...Array(4).fill('NOT_MEASURED'), 'WITHIN']);
  });

  it('have no verdict when a part of the plan was not carried out', () => {
    expect(verdicts(kept, { notCarriedOut: 2 })).toEqual(promises.map(() => 'NOT_MEASURED'));
  });
});

it('are compared with the hosts before the next plan', () => {
  expect([...currentValues(quantities)]).toEqual([
    ['cpu_load_highest', 92],
    ['cpu_load_deviation', 21],
    ['memory_highest', 70],
    ['memory_deviation', 5.04],
  ]);
  expect(currentValues(undefined).size).toBe(0);
});
