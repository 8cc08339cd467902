import type { WhatIf } from '#libs/cluster-model';
import { instanceAt } from '../hosts/rows.ts';

/** Setup, switchover and pause of a live migration, as the MiB that could be copied in the same time. */
const migrationOverheadMib = 2048;

/**
 * Fraction of its memory that a migration copies again for an instance with all CPUs busy. Between the rates of idle
 * guests and of guests that write.
 */
const recopiedWhenBusy = 0.5;

/**
 * Cost of moving an instance, in MiB to copy: its memory, the pages that it dirties during the copy, and the overhead
 * of each migration.
 * @param cpuPercent use of its CPUs, 0 to 100. NaN counts as idle
 */
export function moveCost({ snapshot }: WhatIf, instance: number, cpuPercent: number): number {
  const memory = snapshot.instances.memory[instance] ?? 0;
  const busy = Math.min(1, Math.max(0, (cpuPercent || 0) / 100));
  return migrationOverheadMib + memory * (1 + recopiedWhenBusy * busy);
}

/** Price of a migration for each GiB to copy, in host minutes. */
export const minutesPerGib = 3;
/**
 * Price factor for an instance that an audit of the same goal has moved before. The reason of that move did not last.
 */
const repeated = 24;
/**
 * Minutes for which a benefit is expected to last: a freed host stays free, a relieved host stays below its limit.
 * Loads repeat after at most a day.
 */
export const horizonMinutes = 24 * 60;

/**
 * Price of moving an instance, in host minutes: the time for which a host could be off, or far from its limit,
 * instead.
 * @param cpuPercent use of its CPUs, 0 to 100. NaN counts as idle
 * @param hasMoved whether an audit of the same goal has moved it before. Default false
 */
export function moveMinutes(model: WhatIf, instance: number, cpuPercent: number, hasMoved = false): number {
  return (moveCost(model, instance, cpuPercent) / 1024) * minutesPerGib * (hasMoved ? repeated : 1);
}

/** Reason in reports for migrations that cost more than their benefit within the horizon. */
export const tooDear = 'price-of-migrations';

/** Price of moving each instance, in host minutes. Each is computed once. */
export type MovePrices = (instance: number) => number;

/**
 * @param cpuPercent use of the CPUs of an instance, 0 to 100. NaN counts as idle
 * @param departed uuids of instances that audits of the goal have moved before
 */
export function createMovePrices(
  model: WhatIf,
  cpuPercent: (instance: number) => number,
  departed: ReadonlySet<string>,
): MovePrices {
  const known = new Float64Array(model.hostOf.length).fill(Number.NaN);
  return (instance) => {
    if (Number.isNaN(known[instance])) {
      const hasMoved = departed.has(instanceAt(model.snapshot, instance).uuid);
      known[instance] = moveMinutes(model, instance, cpuPercent(instance), hasMoved);
    }
    return known[instance] as number;
  };
}

/**
 * Price of the migrations off a host, in minutes for which a host could be off instead. Above `horizonMinutes`,
 * emptying does not pay.
 */
export function emptyingMinutes(model: WhatIf, host: number, minutesOf: MovePrices): number {
  return model.instancesOn(host).reduce((sum, row) => sum + minutesOf(row), 0);
}
