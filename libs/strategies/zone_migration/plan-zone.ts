import type { StorageWhatIf, WhatIf } from '#libs/cluster-model';
import type { ProposedAction } from '#libs/plugin-kit';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import type { Budget } from './budget.ts';
import type { ZoneMigrationParameters } from './parameters.ts';
import type { RoomAtStart } from './room-at-start.ts';

/** A plan under construction. */
export interface ZonePlan {
  model: WhatIf;
  storage: StorageWhatIf | undefined;
  parameters: ZoneMigrationParameters;
  /** Rows of all source nodes. None is a destination unless the parameters name it. */
  sources: ReadonlySet<number>;
  budget: Budget;
  blocked: BlockedTally;
  actions: ProposedAction[];
  /** Rows of the instances that are already handled, migrated or not. */
  handled: Set<number>;
  /** Of the hosts and of the storage pools. */
  atStart: { hosts: RoomAtStart; pools: RoomAtStart | null };
  /** Instances and volumes that only fit after the plan has freed room, and so wait for the next run. */
  waiting: number;
  planned: { live: number; cold: number; volumes: number };
}
