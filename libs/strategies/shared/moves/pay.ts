import type { WhatIf } from '#libs/cluster-model';
import { moveCost } from './move-cost.ts';

/** Price of a migration for each GiB to copy, in minutes of a host. */
const minutesPerGib = 3;
/**
 * Factor of the price for an instance that an audit of the same goal has moved before: the reason of that move did not
 * last.
 */
const repeated = 24;
/** Minutes for which a freed host is expected to stay free. A load has returned after a day at the latest. */
export const horizonMinutes = 24 * 60;

/**
 * Price of moving an instance, in minutes for which a host could be off instead.
 * @param cpuPercent use of its CPUs, 0 to 100; NaN counts as idle
 * @param hasMoved whether an audit of the same goal has moved it before
 */
export function moveMinutes(model: WhatIf, instance: number, cpuPercent: number, hasMoved: boolean): number {
  return (moveCost(model, instance, cpuPercent) / 1024) * minutesPerGib * (hasMoved ? repeated : 1);
}
