import type { ComputeSnapshot } from '#libs/cluster-model';
import type { ProposedAction } from './strategy.ts';

/** Limits that the engine's configuration sets for every plan; all at least 1. */
export interface PlanLimits {
  /** Migrations at once out of one host. */
  parallelPerSourceHost: number;
  /** Migrations at once into one host. */
  parallelPerDestinationHost: number;
  /** Migrations at once in the whole plan. */
  parallelMigrations: number;
}

/** A proposed action with its place in the plan. */
export interface PlannedAction extends ProposedAction {
  uuid: string;
  /** Uuids of earlier actions of the same plan. */
  parents: string[];
}

/** Orders proposed actions into a directed acyclic graph; the result lists parents before children. */
export interface PlannerPlugin {
  kind: 'planner';
  name: string;
  description: string;
  plan(
    actions: ProposedAction[],
    context: { snapshot: ComputeSnapshot; limits: PlanLimits; newUuid: () => string },
  ): PlannedAction[];
}
