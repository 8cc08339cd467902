import type { StrategyManifest } from '#libs/plugin-kit';
import { outletTemperatureParameters } from './parameters.ts';

/** What `outlet_temperature` says of itself. */
export const outletTemperatureManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'outlet_temperature',
  displayName: 'Outlet temperature based strategy',
  goal: 'thermal_optimization',
  description:
    'Takes load off hosts whose outlet air is too hot: of each such host one instance moves to the coolest host that ' +
    'takes it. What a move does to the temperature is not known before, so a run moves one instance a host.',
  parameters: outletTemperatureParameters,
  metrics: ['host_outlet_temp'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};
