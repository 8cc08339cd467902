import type { Ratios } from './world/change-snapshot.ts';
import type { WhatIfFlavor } from './world/flavor-places.ts';

/** Things that may be lost. A rack is an aggregate with `rack` in its name, or with that value of the metadata `rack`. */
export const lossKinds = ['host', 'rack', 'zone'] as const;
export type LossKind = (typeof lossKinds)[number];

/** A question about a cloud that differs from the present one. */
export type WhatIfQuestion =
  /** Hosts fail at once: their instances are evacuated. */
  | { question: 'lose'; kind: LossKind; names: readonly string[] }
  /** Hosts are emptied: their instances are moved away as they run. */
  | { question: 'remove'; names: readonly string[] }
  /** Empty hosts that equal one are added. */
  | { question: 'add'; count: number; like: string }
  /** Further instances of a flavor. `count` null: as many as fit. */
  | { question: 'place'; flavor: WhatIfFlavor; count: number | null }
  /** Other allocation ratios on the named hosts. No names: on all. */
  | { question: 'ratio'; ratios: Ratios; names: readonly string[] };

/** Limits of questions. */
export const whatIfLimits = {
  /** Names in a question. */
  names: 1000,
  /** Hosts to add. */
  added: 1000,
  /** Instances to place one by one. */
  placed: 10_000,
  /** Allocation ratios. */
  ratio: { least: 0.01, most: 1000 },
} as const;
