import { myStrategy } from './strategy.js';

/** What Vigil looks for in a plugin module: strategies, goals, planners, action types and scoring engines. */
export const plugins = [myStrategy];
