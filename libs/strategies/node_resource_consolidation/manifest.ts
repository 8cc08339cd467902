import type { StrategyManifest } from '#libs/plugin-kit';
import { nodeResourceConsolidationParameters } from './parameters.ts';

/** What `node_resource_consolidation` says of itself. */
export const nodeResourceConsolidationManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'node_resource_consolidation',
  displayName: 'Node Resource Consolidation strategy',
  goal: 'server_consolidation',
  description:
    'Empties the compute nodes with the fewest allocated vcpus into those with the most, by allocations alone. Either ' +
    'Nova chooses the destinations, while emptied and free nodes are disabled for the time of the plan, or the plan names them.',
  parameters: nodeResourceConsolidationParameters,
  metrics: [],
  models: ['compute'],
  planner: 'node_resource_consolidation',
  needsCompleteModel: true,
};
