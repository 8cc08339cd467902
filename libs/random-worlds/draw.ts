/** Draws of one world: the same seed gives the same draws. */
export interface Draw {
  /** Uniform in [0, 1). */
  unit(): number;
  /** Whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** Uniform between the two. */
  between(low: number, high: number): number;
  /** True with this probability. */
  chance(share: number): boolean;
  /** One entry of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** A copy in random order. */
  shuffled<T>(list: readonly T[]): T[];
}

/** Uniform numbers in [0, 1) from a 32-bit seed (xorshift32, Marsaglia 2003). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** Draws from a 32-bit seed. Seeds that differ little give draws that differ. */
export function createDraw(seed: number): Draw {
  const unit = seededRandom(Math.imul(seed + 1, 2_654_435_761));
  // Neighbouring seeds give similar first numbers.
  for (let skip = 0; skip < 8; skip++) unit();
  const whole = (low: number, high: number) => low + Math.floor(unit() * (high - low + 1));
  return {
    unit,
    whole,
    between: (low, high) => low + unit() * (high - low),
    chance: (share) => unit() < share,
    pick: <T>(list: readonly T[]) => list[Math.floor(unit() * list.length)] as T,
    shuffled<T>(list: readonly T[]) {
      const copy = [...list];
      for (let at = copy.length - 1; at > 0; at--) {
        const other = whole(0, at);
        [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
      }
      return copy;
    },
  };
}
