import type { StrategyManifest } from '#libs/plugin-kit';
import { savingEnergyParameters } from './parameters.ts';

/** What `saving_energy` says of itself. */
export const savingEnergyManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'saving_energy',
  displayName: 'Saving Energy Strategy',
  goal: 'saving_energy',
  description:
    'Keeps some hosts without instances powered on as a reserve and switches further ones off; when the reserve is too ' +
    'small, hosts are switched on. Needs a bare metal service that knows the machines of the compute nodes.',
  parameters: savingEnergyParameters,
  metrics: [],
  models: ['compute', 'baremetal'],
  planner: 'weight',
  needsCompleteModel: true,
};
