import type { ConstraintName } from '#libs/cluster-model';
import type { Verdict } from './packing/find-places.ts';
import type { Resource } from './packing/packing-problem.ts';
import type { Fullest } from './report/fullest.ts';
import type { ReserveLeft } from './report/reserve-left.ts';

/** A move that the answer needs. */
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
  /** Null: the obstacle is about `hosts` hosts. */
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

/** The answer to a what-if question. */
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
