import type { ComputeSnapshot } from '#libs/cluster-model';
import type { MigrationNetwork } from './migration-networks.ts';
import type { ProposedAction } from './strategy.ts';

/** Place of an action type in the order of planner `weight`, and its maximum concurrency (at least 1). */
export interface Weighting {
  weight: number;
  parallelization: number;
}

/**
 * Minimum concurrent migrations in a plan whose limit follows the size of the cloud, and the hosts for each of them.
 */
const [leastAtOnce, hostsForEach] = [8, 25];

/**
 * Concurrent migrations in a plan on this number of hosts.
 * @param given by the configuration. 0: one for each 25 hosts, at least 8
 */
export function migrationsAtOnce(given: number, hosts: number): number {
  return given > 0 ? given : Math.max(leastAtOnce, Math.ceil(hosts / hostsForEach));
}

/** Limits that the engine's configuration sets for every plan. All at least 1. */
export interface PlanLimits {
  /** Concurrent migrations out of one host. */
  parallelPerSourceHost: number;
  /** Concurrent migrations into one host. */
  parallelPerDestinationHost: number;
  /** Concurrent migrations in the whole plan. */
  parallelMigrations: number;
  /** Concurrent migrations over one of `networks`. Default: no limit. */
  parallelPerNetwork?: number;
  /** Which hosts share a network. Default none. */
  networks?: readonly MigrationNetwork[];
  /** Concurrent migrations from or to hosts of one aggregate. Default: no limit. */
  parallelPerAggregate?: number;
  /** Migrations in the whole plan, those that only make way for others included. Default: no limit. */
  mostMigrations?: number;
  /** For planner `weight`, by action type. Types that are not named keep their default. */
  weighting?: Readonly<Record<string, Weighting>>;
}

/** An action that cannot be carried out in any order, and is left out of the plan. */
export interface BlockedAction {
  action: ProposedAction;
  /** Name of the constraint that stands against it at the end of everything else. */
  constraint: string;
  /** One sentence for users. */
  why: string;
}

/** A proposed action with its place in the plan. */
export interface PlannedAction extends ProposedAction {
  uuid: string;
  /** Uuids of earlier actions of the same plan. */
  parents: string[];
}

/** Orders proposed actions into a directed acyclic graph. The result lists parents before children. */
export interface PlannerPlugin {
  kind: 'planner';
  name: string;
  description: string;
  plan(
    actions: ProposedAction[],
    context: {
      snapshot: ComputeSnapshot;
      limits: PlanLimits;
      newUuid: () => string;
      /** `leftAlone` of the strategy. Default: none. */
      leftAlone?: readonly string[] | undefined;
      /** Receives every action that the planner leaves out. */
      onBlocked?: (blocked: BlockedAction) => void;
    },
  ): PlannedAction[];
}
