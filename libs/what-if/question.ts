import type { WhatIfLoss } from '#libs/domain';
import type { Ratios } from './world/change-snapshot.ts';
import type { WhatIfFlavor } from './world/flavor-places.ts';

/** A question about a cloud that differs from the present one. */
export type WhatIfQuestion =
  /** Hosts fail at once: their instances are evacuated. */
  | { question: 'lose'; kind: WhatIfLoss; names: readonly string[] }
  /** Hosts are emptied: their instances are moved away as they run. */
  | { question: 'remove'; names: readonly string[] }
  /** Empty hosts that equal one are added. */
  | { question: 'add'; count: number; like: string }
  /** Further instances of a flavor. `count` null: as many as fit. */
  | { question: 'place'; flavor: WhatIfFlavor; count: number | null }
  /** Other allocation ratios on the named hosts. No names: on all. */
  | { question: 'ratio'; ratios: Ratios; names: readonly string[] };
