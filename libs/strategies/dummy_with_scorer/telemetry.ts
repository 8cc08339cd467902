import type { RandomSource } from '#libs/domain';

const mib = 1024 ** 2;
const gib = 1024 ** 3;

/** Least and largest value of each of the nine numbers that `dummy_scorer` takes, in its order. */
const ranges = [
  [0, 100],
  [4 * gib, 4 * gib],
  [1 * gib, 4 * gib],
  [0, 2000],
  [0, 2000],
  [0, 200 * mib],
  [0, 200 * mib],
  [0, 20 * mib],
  [0, 10 * mib],
] as const;

/** Made-up telemetry: whole numbers, uniform in the range of each column. */
export function randomTelemetry(random: RandomSource): number[] {
  return ranges.map(([least, most]) => least + Math.floor(random() * (most - least + 1)));
}

/** Different whole numbers from 0 to below `limit`, in random order (a partial shuffle). */
export function distinctNumbers(random: RandomSource, count: number, limit: number): number[] {
  const pool = Array.from({ length: limit }, (_, index) => index);
  for (let index = 0; index < count; index++) {
    const other = index + Math.floor(random() * (limit - index));
    [pool[index], pool[other]] = [pool[other] as number, pool[index] as number];
  }
  return pool.slice(0, count);
}
