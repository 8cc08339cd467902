import { spreadByCount } from './spread-by-count.js';

/** What Vigil looks for in a plugin module. */
export const plugins = [spreadByCount];
