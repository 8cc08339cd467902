import type { EntityBase } from './entities.ts';

/** Kinds of rules of the operator. */
export const placementRuleKinds = [
  'keep_together',
  'keep_apart',
  'prefer_hosts',
  'avoid_hosts',
  'leave_alone',
] as const;
export type PlacementRuleKind = (typeof placementRuleKinds)[number];

/** Instances that a rule is about: those that meet every condition that is there. Patterns know `*` and `?`. */
export interface InstanceSelector {
  /** Uuids, one of which must match. They select single instances, whose names may be shared. */
  uuids?: string[];
  /** Patterns of names, one of which must fit. */
  names?: string[];
  /** Each key with its pattern. */
  metadata?: Record<string, string>;
  /** Ids of projects. */
  projects?: string[];
  /** Patterns of names of flavors. */
  flavors?: string[];
}

/** Hosts that a rule is about: those that meet one of the conditions. */
export interface HostSelector {
  /** Patterns of host names. */
  names?: string[];
  /** Names of host aggregates. */
  aggregates?: string[];
  /** Names of availability zones. */
  zones?: string[];
}

/** A rule of the operator on where instances may be, apart from Nova's server groups. */
export interface PlacementRule extends EntityBase {
  name: string;
  description: string | null;
  kind: PlacementRuleKind;
  instances: InstanceSelector;
  /** For `prefer_hosts` and `avoid_hosts`. Null for the others. */
  hosts: HostSelector | null;
  /** Whether a move that breaks it is refused. Otherwise it is a cost. Always true for `leave_alone`. */
  isStrict: boolean;
  /** For `keep_apart`: how many instances one host may have, at least 1. Null for the others. */
  maxPerHost: number | null;
  enabled: boolean;
}
