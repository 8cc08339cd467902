/** Distances between two ticks in seconds, in round units. */
const steps = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 28_800, 86_400] as const;
const maxTicks = 6;

/** Ticks of an axis of this length (in seconds), as seconds after the start, including 0. At most seven. */
export function timelineTicks(length: number): number[] {
  const step = steps.find((candidate) => length / candidate <= maxTicks) ?? length / maxTicks;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_unused, index) => index * step);
}
