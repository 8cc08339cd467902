import type { StrategyManifest } from '#libs/plugin-kit';
import { uniformAirflowParameters } from './parameters.ts';

/** What `uniform_airflow` says of itself. */
export const uniformAirflowManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'uniform_airflow',
  displayName: 'Uniform airflow migration strategy',
  goal: 'airflow_optimization',
  description:
    'Relieves the host with the strongest airflow. A strong airflow without heat at the inlet or high power hints at ' +
    'faulty hardware: then the host is emptied. Otherwise one instance moves.',
  parameters: uniformAirflowParameters,
  metrics: ['host_airflow', 'host_inlet_temp', 'host_power'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};
