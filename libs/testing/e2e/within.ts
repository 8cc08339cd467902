import { expect } from 'vitest';

/** A busy machine gets this many tries to keep a budget; a page that is too slow keeps it in none. */
const tries = 20;

/** Tries `act` until it keeps its budget (milliseconds), and says how long it took; `before` goes before each try and is not counted. */
export async function within(
  what: string,
  budget: number,
  act: () => Promise<unknown>,
  before: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const times: number[] = [];
  while (times.length < tries && (times.at(-1) ?? budget) >= budget) {
    await before();
    const begin = performance.now();
    await act();
    times.push(performance.now() - begin);
  }
  console.log(`${what}: ${times.map(Math.round).join(', ')} ms`);
  expect(Math.min(...times)).toBeLessThan(budget);
}

/** Waits until it is so. */
export function poll(isSo: () => Promise<boolean>): Promise<void> {
  return expect.poll(isSo, { interval: 10, timeout: 60_000 }).toBe(true);
}
