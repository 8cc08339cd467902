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

/** Instances of a rule. An instance must meet every given condition. Patterns support `*` and `?`. */
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

/** Hosts of a rule. A host must meet one of the conditions. */
export interface HostSelector {
  /** Patterns of host names. */
  names?: string[];
  /** Names of host aggregates. */
  aggregates?: string[];
  /** Names of availability zones. */
  zones?: string[];
}

/** A placement rule of the operator for instances, in addition to Nova's server groups. */
export interface PlacementRule extends EntityBase {
  name: string;
  description: string | null;
  kind: PlacementRuleKind;
  instances: InstanceSelector;
  /** For `prefer_hosts` and `avoid_hosts`. Null for the other kinds. */
  hosts: HostSelector | null;
  /** Whether moves that break it are refused. Otherwise breaking it has a cost. Always true for `leave_alone`. */
  isStrict: boolean;
  /** For `keep_apart`: limit of instances on one host, at least 1. Null for the other kinds. */
  maxPerHost: number | null;
  enabled: boolean;
}
