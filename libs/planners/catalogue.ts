import type { PlannerPlugin } from '#libs/plugin-kit';
import { nodeResourceConsolidationPlanner } from './node-resource-consolidation.ts';
import { resourcePlanner } from './resource/planner.ts';
import { weightPlanner } from './weight.ts';
import { workloadStabilizationPlanner } from './workload-stabilization.ts';

/** All built-in planners. Strategies name theirs. */
export const plannerCatalogue: readonly PlannerPlugin[] = [
  nodeResourceConsolidationPlanner,
  resourcePlanner,
  weightPlanner,
  workloadStabilizationPlanner,
];
