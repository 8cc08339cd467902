/** `-ln(u)` for 4,096 even values of u. */
const logarithms = Float64Array.from({ length: 4096 }, (_, index) => -Math.log((index + 0.5) / 4096));

/** Seeded random numbers (xoroshiro64*): the same seed gives the same sequence on every machine. */
export class Random {
  private first: number;
  private second: number;

  constructor(seed: number) {
    // Similar seeds must give different sequences.
    this.first = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) | 1;
    this.second = Math.imul(seed + 0x7f4a7c15, 0x85ebca6b) | 0;
    for (let round = 0; round < 16; round += 1) this.next();
  }

  /** A whole number of 32 bits, signed. */
  next(): number {
    const result = Math.imul(this.first, 0x9e3779bb);
    const mixed = this.second ^ this.first;
    this.first = ((this.first << 26) | (this.first >>> 6)) ^ mixed ^ (mixed << 9);
    this.second = (mixed << 13) | (mixed >>> 19);
    return result;
  }

  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number {
    return ((this.next() >>> 0) * 2.3283064365386963e-10 * limit) | 0;
  }

  /** Exponentially distributed, mean 1: `-ln(u)`. */
  exponential(): number {
    return logarithms[this.next() >>> 20]!;
  }
}
