import { expect, test } from 'vitest';
import { createServerClock } from './server-clock.ts';

const at = (time: number) => new Date(time).toISOString();

test('the clock follows the server, not a wrong local clock', () => {
  let page = 1000;
  const clock = createServerClock({ now: () => 5, page: () => page });
  expect(clock.now()).toBe(5);
  clock.note(at(600_000), 980, 1000);
  expect(clock.now()).toBe(600_000);
  page = 3500;
  expect(clock.now()).toBe(602_500);
  clock.note(null, 3400, 3500);
  clock.note('nonsense', 3400, 3500);
  expect(clock.now()).toBe(602_500);
});

test('the clock uses the fastest response until it is old or the page slept', () => {
  let page = 1000;
  const clock = createServerClock({ now: () => 5, page: () => page });
  clock.note(at(600_000), 990, 1000);
  // A slow response may be late by its whole duration.
  clock.note(at(600_500), 1000, 3000);
  page = 3000;
  expect(clock.now()).toBe(602_000);
  clock.note(at(602_005), 2995, 3000);
  expect(clock.now()).toBe(602_005);
  // Two hours passed, and the page's clock stood still.
  clock.note(at(7_802_000), 2900, 3000);
  expect(clock.now()).toBe(7_802_000);
  page = 100_000;
  clock.note(at(7_900_000), 99_000, 100_000);
  expect(clock.now()).toBe(7_900_000);
});
