import { expect, it } from 'vitest';
import { percentText, stateRows } from './period-rows.ts';

it('counts paused plans apart from the running and the pending ones', () => {
  expect(
    stateRows([
      { state: 'SUCCEEDED', plans: 9, paused: 0, removed: 4 },
      { state: 'ONGOING', plans: 3, paused: 2, removed: 0 },
      { state: 'PENDING', plans: 1, paused: 1, removed: 0 },
    ]),
  ).toMatchObject([
    { state: 'SUCCEEDED', plans: 9, removed: 4 },
    { state: 'ONGOING', plans: 1, removed: 0 },
    { state: 'PAUSED', plans: 3, removed: 0 },
  ]);
  expect(stateRows([{ state: 'ONGOING', plans: 2, paused: 0, removed: 0 }])).toHaveLength(1);
});

it('writes percentages with one decimal, also whole ones', () => {
  expect([3, 3.4, 0, 61.25, null].map(percentText)).toEqual([
    ...['3.0\u00a0%', '3.4\u00a0%', '0.0\u00a0%', '61.3\u00a0%'],
    '–',
  ]);
});
