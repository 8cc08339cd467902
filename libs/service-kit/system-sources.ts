import { randomUUID } from 'node:crypto';
import type { Clock, IdSource, RandomSource } from '#libs/domain';

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds since the process began, at an even pace whatever is done to the machine's clock; for limits within it. */
export const steadyClock: Clock = { now: () => performance.now() };

/** Version 4 uuids. */
export const newUuid: IdSource = () => randomUUID();

/**
 * Uniform numbers in [0, 1) that are the same for the same seed (mulberry32, Tommy Ettinger, public domain).
 * @param seed any 32-bit number.
 */
export function createRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
