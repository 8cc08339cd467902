import type { StrategyPlugin } from '#libs/plugin-kit';
import { actuatorStrategy } from './actuator/strategy.ts';
import { allocationBalanceStrategy } from './allocation_balance/strategy.ts';
import { balanceOptimizerStrategy } from './balance_optimizer/strategy.ts';
import { basicStrategy } from './basic/strategy.ts';
import { consolidationOptimizerStrategy } from './consolidation_optimizer/strategy.ts';
import { dummyStrategy } from './dummy/strategy.ts';
import { dummyWithResizeStrategy } from './dummy_with_resize/strategy.ts';
import { dummyWithScorerStrategy } from './dummy_with_scorer/strategy.ts';
import { failedHostEvacuationStrategy } from './failed_host_evacuation/strategy.ts';
import { hostMaintenanceStrategy } from './host_maintenance/strategy.ts';
import { hostReturnStrategy } from './host_return/strategy.ts';
import { nodeResourceConsolidationStrategy } from './node_resource_consolidation/strategy.ts';
import { noisyNeighborStrategy } from './noisy_neighbor/strategy.ts';
import { outletTemperatureStrategy } from './outlet_temperature/strategy.ts';
import { placementOptimizerStrategy } from './placement_optimizer/strategy.ts';
import { rollingMaintenanceStrategy } from './rolling_maintenance/strategy.ts';
import { savingEnergyStrategy } from './saving_energy/strategy.ts';
import { storageCapacityBalanceStrategy } from './storage_capacity_balance/strategy.ts';
import { uniformAirflowStrategy } from './uniform_airflow/strategy.ts';
import { vmWorkloadConsolidationStrategy } from './vm_workload_consolidation/strategy.ts';
import { workloadBalanceStrategy } from './workload_balance/strategy.ts';
import { workloadStabilizationStrategy } from './workload_stabilization/strategy.ts';
import { zoneMigrationStrategy } from './zone_migration/strategy.ts';

/**
 * All built-in strategies. Each has a folder with its name. Audits without a strategy use the first strategy of their
 * goal.
 */
export const strategyCatalogue: readonly StrategyPlugin[] = [
  dummyStrategy,
  hostMaintenanceStrategy,
  vmWorkloadConsolidationStrategy,
  workloadStabilizationStrategy,
  noisyNeighborStrategy,
  outletTemperatureStrategy,
  savingEnergyStrategy,
  storageCapacityBalanceStrategy,
  uniformAirflowStrategy,
  zoneMigrationStrategy,
  actuatorStrategy,
  allocationBalanceStrategy,
  basicStrategy,
  hostReturnStrategy,
  rollingMaintenanceStrategy,
  dummyWithResizeStrategy,
  dummyWithScorerStrategy,
  nodeResourceConsolidationStrategy,
  workloadBalanceStrategy,
  failedHostEvacuationStrategy,
  balanceOptimizerStrategy,
  consolidationOptimizerStrategy,
  placementOptimizerStrategy,
] as StrategyPlugin[];
