import { expect, it } from 'vitest';
import { fitDurations, type TimedSample } from '#libs/durations';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { timeVariants } from './time-variants.ts';

const snapshot = createTestWorld({
  hosts: [{ hostname: 'a' }, { hostname: 'b' }],
  instances: [
    { name: 'small', host: 'a', memory: 1024 },
    { name: 'large', host: 'a', memory: 16_384 },
    { name: 'stopped', host: 'a', memory: 4096, state: 'stopped' },
  ],
});
const variants = [
  { budget: 1, moves: [[testUuid('small'), 'b'] as [string, string]] },
  { budget: 0, moves: ['small', 'large', 'stopped'].map((name): [string, string] => [testUuid(name), 'b']) },
];
const curve = variants.map(({ budget, moves }) => {
  return { budget, moves: moves.length, gib: 1, seconds: 5, value: 50, bound: 0, chosen: budget === 0 };
});
const finished: TimedSample[] = Array.from({ length: 40 }, () => {
  return { actionType: 'migrate', migrationType: 'live', seconds: 12, size: 4096 };
});

it('a variant takes the sum of the medians of its migrations, by way and memory', () => {
  const samples = finished.map(({ seconds, size }) => ({ kind: 'live', seconds, size }));
  const [live, cold] = [fitDurations('live', samples), fitDurations('cold', [])];
  const small = live.estimate(1024).median;
  const all = small + live.estimate(16_384).median + cold.estimate(4096).median;
  const timed = timeVariants(curve, variants, { snapshot, finished });
  expect(timed.map(({ seconds }) => seconds)).toEqual([expect.closeTo(small), expect.closeTo(all)]);
  expect(timed.map(({ budget, chosen }) => [budget, chosen])).toEqual([
    [1, false],
    [0, true],
  ]);
});

it('before any measurement the default guess counts', () => {
  const [first] = timeVariants(curve, variants, { snapshot, finished: [] });
  expect(first?.seconds).toBeCloseTo(fitDurations('live', []).estimate(1024).median);
});
