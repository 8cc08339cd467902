import { expect } from 'vitest';

/** A page that is too slow keeps its budget in none of so many tries. */
const tries = 20;
/** Processor time in milliseconds after which is known how long a process waits for its turn. */
const sampleMs = 100;

/**
 * Tries `act` until it keeps its budget (milliseconds), and says how long it took. `before` goes before each try and is
 * not counted. Where all processors are taken, the time that is spent waiting for one of them is not the page's: each
 * try counts as long as it would have taken alone.
 */
export async function within(
  what: string,
  budget: number,
  act: () => Promise<unknown>,
  before: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const counted: number[] = [];
  const told: string[] = [];
  while (counted.length < tries && (counted.at(-1) ?? budget) >= budget) {
    await before();
    const begin = performance.now();
    await act();
    const ms = performance.now() - begin;
    const share = ms < budget ? 1 : processorShare();
    counted.push(ms * share);
    told.push(share === 1 ? `${Math.round(ms)}` : `${Math.round(ms)} with ${Math.round(100 * share)} % of a processor`);
  }
  console.log(`${what}: ${told.join(', ')} ms`);
  expect(Math.min(...counted)).toBeLessThan(budget);
}

/** The part of a processor that a process gets at the moment if it requests all of it; 1 on a machine that is idle. */
function processorShare(): number {
  const begin = performance.now();
  const spent = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(spent);
    const usedMs = (user + system) / 1000;
    if (usedMs >= sampleMs) return Math.min(1, usedMs / (performance.now() - begin));
  }
}

/** Waits until it is so. */
export function poll(isSo: () => Promise<boolean>): Promise<void> {
  return expect.poll(isSo, { interval: 10, timeout: 60_000 }).toBe(true);
}
