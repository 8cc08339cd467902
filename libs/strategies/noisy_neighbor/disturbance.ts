import type { BeforeAfter } from '#libs/domain';

/** An important instance that suffers, and one of lower priority on its host that is the likely cause. */
export interface Disturbance {
  host: number;
  victim: number;
  noisy: number;
  /** Observation, as the start of a sentence. */
  why: string;
  values: BeforeAfter[];
}

/** Findings of one kind of measurement. */
export interface Findings {
  found: Disturbance[];
  /** Hosts without a disturbed instance, the best destination first. */
  targets: number[];
  /** Whether a host that takes the instance is then as crowded as the one that it leaves. */
  crowds(instance: number, host: number): boolean;
  /** Instances with a value. */
  measured: number;
  /** Why no disturbance is found, for people. */
  nobody: string;
  notes: string[];
}
