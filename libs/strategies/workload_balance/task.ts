import { type ConstraintName, instanceStates, type WhatIf } from '#libs/cluster-model';
import type { HopelessSizes } from '../shared/hosts/hopeless-sizes.ts';
import type { OrderedHosts } from '../shared/hosts/ordered-hosts.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import type { Loads } from './loads.ts';
import type { WorkloadBalanceParameters } from './parameters.ts';
import type { Worth } from './worth.ts';

/** Hosts to relieve, and the loads and limits for it. */
export interface Task {
  model: WhatIf;
  loads: Loads;
  hosts: readonly number[];
  /** Hosts whose load has stayed at the threshold. */
  hot: ReadonlySet<number>;
  parameters: WorkloadBalanceParameters;
  /** Benefit and price of moves. */
  worth: Worth;
  blocked: BlockedTally;
  signal: AbortSignal;
}

/** Progress of the relief. */
export interface State extends Task {
  /** An instance moves once. */
  moved: Set<number>;
  detours: number;
  /** Hosts below the threshold, by load in percent. */
  under: OrderedHosts;
  hopeless: HopelessSizes;
}

/**
 * Percent of load below which a destination stays. All searches, also those for exchanges and for small clouds
 * (`few-moves.ts`), judge destinations by it.
 */
export function destinationLimit({ parameters }: Task): number {
  return parameters.threshold;
}

/** Why a host does not accept an instance now. Null if it does. */
export function refusalOf(task: Task, instance: number, host: number): ConstraintName | 'threshold' | null {
  const { model, loads } = task;
  return loads.staysBelow(destinationLimit(task), host, instance) ? model.refusal(instance, host) : 'threshold';
}

/** Whether an instance runs and may be moved. */
export function isActive(model: WhatIf, instance: number): boolean {
  const state = instanceStates[model.snapshot.instances.state[instance] as number];
  return state === 'active' && model.immovable(instance) === null;
}
