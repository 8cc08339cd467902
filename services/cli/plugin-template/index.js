import { myStrategy } from './strategy.js';

/** Version of the contracts of `openstack-vigil/plugin-kit` that this plugin is written to. */
export const kitVersion = 1;

/** Vigil looks for this export in a plugin module: strategies, goals, planners, action types and so on. */
export const plugins = [myStrategy];
