import type { MoveWay } from '#libs/domain';
import type { ComputeSnapshot } from './compute-snapshot.ts';

/** Why an instance may not go to a host. Also the names used in reports. */
export const constraintNames = [
  'same-host',
  'host-down',
  'host-disabled',
  'coverage',
  'vcpu',
  'memory',
  'disk',
  'affinity',
  'anti-affinity',
  'zone',
  'aggregate-isolation',
  'trait',
  'instance-locked',
  'instance-busy',
  'instance-excluded',
  'instance-state',
  'instance-cooling-down',
  'dedicated-cpu',
  'huge-pages',
  'numa',
  'volume-bound',
  'cell',
  'uncounted-resource',
  'vtpm',
  'shared-disk',
  'source-down',
  'source-up',
  'migration-failed',
  'destination-refused',
  'hypervisor-type',
  'hypervisor-version',
  'cpu-architecture',
  'cpu-model',
  'server-groups-unknown',
  'capability',
  'capability-unknown',
  'manila-share',
  'shares-unknown',
  'port-accelerator',
  'port-device',
  'port-resources',
  'hint-different-host',
  'hint-same-host',
  'hint-query',
  'hint-near-host',
  'rule-leave-alone',
  'rule-together',
  'rule-apart',
  'rule-hosts',
] as const;
export type ConstraintName = (typeof constraintNames)[number];

/** Conditions of the check of a destination. */
export interface RefusalOptions {
  /** Ignores `host-disabled`. */
  allowDisabled?: boolean;
  /** How the instance leaves its host. Default its usual way. */
  way?: MoveWay;
  /** Checks the move as if the host of the instance were down. Default false. Requires `way`. */
  sourceDown?: boolean;
}

/**
 * A private, changeable view on a snapshot: strategies move instances and see the effect on capacities and constraints.
 * A move costs O(1). This is the only door to feasibility: a destination that Nova would refuse is never allowed.
 */
export interface WhatIf {
  readonly snapshot: ComputeSnapshot;
  /** Host row of each instance now. Do not write. */
  readonly hostOf: Int32Array;
  /** Whether each host accepts instances now (up, enabled, not forced down), changed by `setEnabled`. Do not write. */
  readonly enabled: Uint8Array;
  /** Rows of the instances on a host, in no particular order. */
  instancesOn(host: number): readonly number[];
  free(host: number): { vcpus: number; memory: number; disk: number };
  capacity(host: number): { vcpus: number; memory: number; disk: number };
  used(host: number): { vcpus: number; memory: number; disk: number };
  /** CPUs for instances with dedicated ones that are free on the host. */
  freeDedicatedCpus(host: number): number;
  /** The resources that the instance uses on its host, CPUs by their kind. */
  needs(instance: number): { vcpus: number; dedicatedCpus: number; memory: number; disk: number };
  /** The default kind of move of the instance off its host. Null when its state admits none. */
  usualWay(instance: number): 'live' | 'cold' | null;
  /**
   * Why the instance cannot be moved at all (locked, busy, excluded, in a state or on a host that it cannot leave), or
   * null. `way`: the way of leaving. Default its usual way.
   */
  immovable(instance: number, way?: MoveWay, sourceDown?: boolean): ConstraintName | null;
  /** Why the instance cannot go to the host, or null when it can. */
  refusal(instance: number, host: number, options?: RefusalOptions): ConstraintName | null;
  /**
   * Why Nova would not boot an instance without a host there, or null. Rules of the operator do not count, because
   * Nova does not have them. Demands that no API can check are last.
   */
  bootRefusal(instance: number, host: number): ConstraintName | null;
  /**
   * As `refusal`, after the instance `leaving` has left the host. Swaps are checked in this way. An instance on
   * another host changes nothing. Check both halves of a swap, because one may be possible without the other. The
   * first half needs room for both.
   */
  refusalAfter(instance: number, host: number, leaving: number): ConstraintName | null;
  /**
   * Rows of the instances that zone, aggregates and traits allow on the host, ascending, if these are at most one in
   * eight. A search for an arrival can then skip the others. Null when more are allowed.
   */
  fewAdmitted(host: number): readonly number[] | null;
  /**
   * Pairs of its soft server group that the instance breaks on the host: members there (soft-anti-affinity), or members
   * elsewhere (soft-affinity), plus its breaks of the operator's soft rules. A cost, never a refusal. 0 without such a
   * group or rule. Nova weighs soft groups and does not enforce them.
   */
  softCost(instance: number, host: number): number;
  /** Moves without a check. Callers check `refusal` first. */
  move(instance: number, host: number): void;
  setEnabled(host: number, enabled: boolean): void;
  hostRow(hostname: string): number | undefined;
  instanceRow(uuid: string): number | undefined;
}
