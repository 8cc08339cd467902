import type { ConstraintName } from '#libs/cluster-model';
import type { WhatIfLoss } from '#libs/domain';
import type { Verdict } from '../packing/find-places.ts';
import type { Resource } from '../packing/packing-problem.ts';
import type { Ratios } from '../world/change-snapshot.ts';
import type { WhatIfFlavor } from '../world/flavor-places.ts';
import type { Fullest } from './fullest.ts';
import type { ReserveLeft } from './reserve-left.ts';

/** A question about a cloud that differs from the present one. */
export type WhatIfQuestion =
  /** Hosts fail together: their instances are evacuated. */
  | { question: 'lose'; kind: WhatIfLoss; names: readonly string[] }
  /** Hosts are emptied: their instances move to others as they run. */
  | { question: 'remove'; names: readonly string[] }
  /** Empty hosts that equal one are added. */
  | { question: 'add'; count: number; like: string }
  /** Further instances of a flavor. `count` null: as many as fit. */
  | { question: 'place'; flavor: WhatIfFlavor; count: number | null }
  /** Other allocation ratios on the named hosts. No names: on all. */
  | { question: 'ratio'; ratios: Ratios; names: readonly string[] }
  /** Instances, by uuid or by a name that only one has, move to hosts in this order. */
  | { question: 'move'; moves: readonly { instance: string; host: string }[] };

/** A move that the change needs. */
export interface NeededMove {
  instance: string;
  name: string;
  from: string;
  to: string;
  way: 'live' | 'cold' | 'evacuate';
  /** Memory of the instance in MiB. */
  memory: number;
}

/** An obstacle: an instance without a place, a host that is overfull, or the number of hosts that a rule excludes. */
export interface Obstacle {
  /** Uuid and name of the instance. Null: the obstacle is about hosts. */
  instance: string | null;
  name: string | null;
  /** Of `move`: the requested host. Null: the obstacle is about `hosts` hosts. */
  hostname: string | null;
  constraint: ConstraintName;
  /** Hosts that the constraint excludes. Null: not counted. */
  hosts: number | null;
}

/** Places for further instances of a flavor before and after. */
export interface PlacesChange {
  flavor: string;
  before: number;
  after: number;
  /** Whether the numbers are exact. Otherwise they are the most that there can be. */
  isExact: boolean;
}

/** The result of a what-if question. */
export interface WhatIfResult {
  verdict: Verdict;
  /** One sentence. */
  text: string;
  /** The proof that something does not fit, or why the verdict is unknown. Null otherwise. */
  because: string | null;
  /** Places for the flavor of `place`. Null for other questions. */
  number: number | null;
  /** Whether `number` is exact. Otherwise it is the most that there can be. */
  isExact: boolean;
  moves: NeededMove[];
  obstacles: Obstacle[];
  reserve: { before: ReserveLeft; after: ReserveLeft | null };
  fullest: { resource: Resource; before: Fullest | null; after: Fullest | null }[];
  /** Of the most frequent flavors. Empty for `place`. */
  places: PlacesChange[];
  /** Hosts with places for the flavor of `place`. */
  hosts: { hostname: string; places: number }[];
  notes: string[];
}
