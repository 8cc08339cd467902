import { expect, test } from 'vitest';
import { judgeShown } from './judge-shown.ts';

test('the numbers on the pages of plans are those of the API and of the cloud', async () => {
  const { faults, plans, parts, numbers } = await judgeShown({ plans: 6, seed: 7 });
  expect(faults).toEqual([]);
  expect(plans).toBe(6);
  expect(Math.min(parts, numbers)).toBeGreaterThan(100);
}, 600_000);

test('an interrupted run ends with the plans until then, and blames nothing', async () => {
  const ending = new AbortController();
  const { interrupted, plans, faults } = await judgeShown({
    ...{ plans: 6, seed: 7, only: ['dummy'], signal: ending.signal },
    onProgress: () => ending.abort(),
  });
  expect([interrupted, plans, faults]).toEqual([true, 1, []]);
}, 600_000);
