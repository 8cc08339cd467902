/** Wall-clock source. Injected so that tests and simulated clouds can run at another speed. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
}

/** Source of new uuids (version 4 or 7), injected. */
export type IdSource = () => string;

/** Uniform random numbers in [0, 1), injected and usually seeded. */
export type RandomSource = () => number;

/** The part of a structured logger that libraries use: fields first, a static message second. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Logger;
}

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
