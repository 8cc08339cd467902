/**
 * Loaded by `node --import` before a process of the stack, and only there: shifts its clock by `CHAOS_CLOCK_OFFSET_MS`,
 * and takes protections out of its code as `CHAOS_PATCHES` says (JSON, see `code-patch.ts`). Nothing of the product
 * knows of it.
 */
import { register } from 'node:module';
import { shiftClock } from './clock-offset.ts';

const { CHAOS_CLOCK_OFFSET_MS: offset, CHAOS_PATCHES: patches } = process.env;
if (offset) shiftClock(Number(offset));
if (patches) register('./code-patch.js', { parentURL: import.meta.url, data: JSON.parse(patches) });
