import { expect, test } from 'vitest';
import { freshSince } from './fresh-enough.ts';

const clock = { now: () => 100_000 };

function modelTakenAt(...takenAtMs: number[]) {
  const requested: number[] = [];
  return {
    asked: requested,
    fresh(maxAgeMs: number) {
      requested.push(maxAgeMs);
      return Promise.resolve({ takenAtMs: takenAtMs[requested.length - 1] ?? 0 });
    },
  };
}

test('without a change the age is all that counts', async () => {
  const model = modelTakenAt(95_000);

  expect(await freshSince(model, { maxAgeMs: 10_000, sinceMs: Number.POSITIVE_INFINITY, clock })).toEqual({
    takenAtMs: 95_000,
  });
  expect(model.asked).toEqual([10_000]);
});

test('a model must be newer than the last change', async () => {
  const model = modelTakenAt(99_000);

  expect(await freshSince(model, { maxAgeMs: 10_000, sinceMs: 2000, clock })).toEqual({ takenAtMs: 99_000 });
  expect(model.asked).toEqual([2000]);
});

test('a collection that started before the change is not enough', async () => {
  const model = modelTakenAt(97_000, 100_000);

  expect(await freshSince(model, { maxAgeMs: 10_000, sinceMs: 2000, clock })).toEqual({ takenAtMs: 100_000 });
  expect(model.asked).toEqual([2000, 0]);
});

test('nor is one that started before the change and ends after the request, of a model that is followed', async () => {
  const model = modelTakenAt(40_000, 95_000, 100_500);

  expect(await freshSince(model, { maxAgeMs: 10_000, sinceMs: 2000, clock })).toEqual({ takenAtMs: 100_500 });
  expect(model.asked).toEqual([2000, 0, 0]);
});
