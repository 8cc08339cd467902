import { expect, test } from 'vitest';
import { createSettleDeadline } from './settle-deadline.ts';

function clocked() {
  let time = 0;
  const deadline = createSettleDeadline(() => time);
  const isOverAfter = (ms: number) => {
    time += ms;
    return deadline.isOver();
  };
  return { deadline, isOverAfter };
}

test('disturbances of any length leave the whole time to settle', () => {
  const { deadline, isOverAfter } = clocked();
  deadline.planEnded();
  expect(isOverAfter(3_600_000)).toBe(false);
  deadline.calm(90_000);
  expect([isOverAfter(90_000), isOverAfter(1)]).toEqual([false, true]);
});

test('each end of a plan after the disturbances starts the time to settle again', () => {
  const { deadline, isOverAfter } = clocked();
  deadline.calm(90_000);
  for (const _plan of [1, 2, 3]) {
    expect(isOverAfter(80_000)).toBe(false);
    deadline.planEnded();
  }
  expect(isOverAfter(90_001)).toBe(true);
});

test('a limit can be shortened but not extended', () => {
  const { deadline, isOverAfter } = clocked();
  deadline.limit(60_000);
  deadline.shorten(120_000);
  expect(isOverAfter(50_000)).toBe(false);
  deadline.shorten(5_000);
  expect([isOverAfter(5_000), isOverAfter(1)]).toEqual([false, true]);
});
