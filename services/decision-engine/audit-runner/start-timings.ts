/** Durations of the phases of a run. */
export interface Timings {
  /** `within`: phases since the last lap that are reported separately, in milliseconds. */
  lap(phase: string, within?: Record<string, number>): void;
  /** A function that adds to a phase. */
  add(phase: string): (ms: number) => void;
  /** Milliseconds by phase. */
  timings(): Record<string, number>;
}

/** Starts the first phase. */
export function startTimings(): Timings {
  const phases: Record<string, number> = {};
  let last = performance.now();
  return {
    lap(phase, within = {}) {
      const now = performance.now();
      let left = now - last;
      for (const [name, ms] of Object.entries(within)) {
        phases[name] = Math.round(ms);
        left -= ms;
      }
      phases[phase] = Math.round(left);
      last = now;
    },
    add: (phase) => (ms) => {
      phases[phase] = Math.round((phases[phase] ?? 0) + ms);
    },
    timings: () => phases,
  };
}
