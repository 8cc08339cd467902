import type { BeforeAfter } from '#libs/domain';

/** A disturbed important instance, and an instance of lower priority on its host that is the likely cause. */
export interface Disturbance {
  host: number;
  victim: number;
  noisy: number;
  /** Observation, as the start of a sentence. */
  why: string;
  values: BeforeAfter[];
}

/** Findings from one kind of measurement. */
export interface Findings {
  found: Disturbance[];
  /** Hosts without a disturbed instance. The best destination is first. */
  targets: number[];
  /** Whether a host with the instance would be as crowded as its current host. */
  crowds(instance: number, host: number): boolean;
  /** Number of instances with a value. */
  measured: number;
  /** Why no disturbance is found, as text. */
  nobody: string;
  notes: string[];
}
