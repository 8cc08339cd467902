import { spreadMemory } from './spread-memory.js';

/** What Vigil looks for in a plugin module. */
export const plugins = [spreadMemory];
