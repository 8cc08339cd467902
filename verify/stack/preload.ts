/**
 * Loaded by `node --import` before a process of the stack: shifts its clock by `CHAOS_CLOCK_OFFSET_MS`, and removes
 * protections from its code by `CHAOS_PATCHES` (JSON, see `code-patch.ts`). The product does not use it.
 */
import { register } from 'node:module';
import { shiftClock } from './clock-offset.ts';

const { CHAOS_CLOCK_OFFSET_MS: offset, CHAOS_PATCHES: patches } = process.env;
if (offset) shiftClock(Number(offset));
if (patches) register('./code-patch.js', { parentURL: import.meta.url, data: JSON.parse(patches) });
