import type { GoalPlugin } from '#libs/plugin-kit';
import { airflowOptimization } from './airflow-optimization.ts';
import { clusterMaintaining } from './cluster-maintaining.ts';
import { dummy } from './dummy.ts';
import { hardwareMaintenance } from './hardware-maintenance.ts';
import { noisyNeighbor } from './noisy-neighbor.ts';
import { placementOptimization } from './placement-optimization.ts';
import { savingEnergy } from './saving-energy.ts';
import { serverConsolidation } from './server-consolidation.ts';
import { thermalOptimization } from './thermal-optimization.ts';
import { unclassified } from './unclassified.ts';
import { workloadBalancing } from './workload-balancing.ts';

/** All built-in goals: Watcher's ten, with its names, display names and efficacy, and one of our own after them. */
export const goalCatalogue: readonly GoalPlugin[] = [
  airflowOptimization,
  clusterMaintaining,
  dummy,
  hardwareMaintenance,
  noisyNeighbor,
  savingEnergy,
  serverConsolidation,
  thermalOptimization,
  unclassified,
  workloadBalancing,
  placementOptimization,
];
