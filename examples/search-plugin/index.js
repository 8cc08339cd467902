import { spreadMemory } from './spread-memory.js';

/** Vigil looks for this export in a plugin module. */
export const plugins = [spreadMemory];
