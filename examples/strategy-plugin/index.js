import { spreadByCount } from './spread-by-count.js';

/** Vigil looks for this export in a plugin module. */
export const plugins = [spreadByCount];
