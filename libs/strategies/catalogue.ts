import type { StrategyPlugin } from '#libs/plugin-kit';
import { dummyStrategy } from './dummy/strategy.ts';
import { hostMaintenanceStrategy } from './host_maintenance/strategy.ts';
import { vmWorkloadConsolidationStrategy } from './vm_workload_consolidation/strategy.ts';
import { workloadStabilizationStrategy } from './workload_stabilization/strategy.ts';

/** All built-in strategies; each has a folder of its name. */
export const strategyCatalogue: readonly StrategyPlugin[] = [
  dummyStrategy,
  hostMaintenanceStrategy,
  vmWorkloadConsolidationStrategy,
  workloadStabilizationStrategy,
] as StrategyPlugin[];
