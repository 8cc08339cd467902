import type { PlanHosts, QuantityChange } from './plan-hosts.ts';
import { measurementStates, type OutcomeMeasurement } from './plan-measurement.ts';

/**
 * Quantities that a plan promises: CPU load and allocated memory of the fullest host in percent, their deviations over
 * the hosts in points, and the duration from the first start to the last end of an action in seconds.
 */
export const promisedQuantities = [
  'cpu_load_highest',
  'cpu_load_deviation',
  'memory_highest',
  'memory_deviation',
  'duration',
] as const;
export type PromisedQuantity = (typeof promisedQuantities)[number];

/** A promise of a plan, at its creation. */
export interface PlanPromise {
  quantity: PromisedQuantity;
  low: number;
  high: number;
}

/** `WITHIN`: kept. `BELOW`, `ABOVE`: measured, and outside the range. */
export const promiseVerdicts = ['WITHIN', 'BELOW', 'ABOVE', 'NOT_MEASURED', 'NOT_ATTRIBUTABLE'] as const;
export type PromiseVerdict = (typeof promiseVerdicts)[number];

/** A promise and its verdict after the plan, stored in the `outcome` of the plan. */
export interface JudgedPromise extends PlanPromise {
  /** Value measured after the plan. Null without a verdict on it. */
  achieved: number | null;
  verdict: PromiseVerdict;
  /** Why the value is missing. Null when it is known. */
  reason: string | null;
}

/**
 * Half of the width of a range, in points. Loads change while a plan runs. Allocations change only by other requests.
 */
const margins = { cpu_load_highest: 5, cpu_load_deviation: 3, memory_highest: 1, memory_deviation: 1 };

type HostPromise = keyof typeof margins;

/** The ranges that a plan promises. Quantities that were unknown at its creation are omitted. */
export function promisesOf({ quantities = [], duration }: Pick<PlanHosts, 'quantities' | 'duration'>): PlanPromise[] {
  const predicted = hostValues(quantities, ({ fullest, deviation }) => [fullest.after, deviation.after]);
  const ofHosts = [...predicted].map(([quantity, value]) => ({
    quantity,
    low: tenths(Math.max(0, value - margins[quantity])),
    high: tenths(value + margins[quantity]),
  }));
  return duration === undefined ? ofHosts : [...ofHosts, { quantity: 'duration', ...duration }];
}

/** Values for the promises about hosts, from the current state of hosts: `before` of their quantities. */
export function currentValues(quantities: readonly QuantityChange[] = []): Map<PromisedQuantity, number> {
  return hostValues(quantities, ({ highestBefore, deviation }) => [highestBefore, deviation.before]);
}

/** Facts about the end of a plan that verdicts depend on. */
export interface PlanAchievement {
  measurement: OutcomeMeasurement;
  /** Quantities of the hosts after the plan. Used only if the measurement is ACHIEVED. */
  values: ReadonlyMap<PromisedQuantity, number>;
  /** From the first start to the last end of an action. */
  seconds: number;
  /** Number of actions that did not succeed. Promises apply to complete plans only. */
  notCarriedOut: number;
}

/** Compares the promises of a plan with its results. */
export function judgePromises(promises: readonly PlanPromise[], achievement: PlanAchievement): JudgedPromise[] {
  return promises.map((promise) => {
    const { quantity } = promise;
    const { measurement, values, seconds, notCarriedOut } = achievement;
    const open = (verdict: PromiseVerdict, reason: string | null) => ({ ...promise, achieved: null, verdict, reason });
    if (notCarriedOut > 0) return open('NOT_MEASURED', `${notCarriedOut} actions of the plan did not succeed`);
    if (quantity !== 'duration') {
      if (measurement.state === measurementStates.notAttributable) return open('NOT_ATTRIBUTABLE', null);
      if (measurement.state !== measurementStates.achieved) return open('NOT_MEASURED', measurement.reason);
    }
    const value = quantity === 'duration' ? seconds : values.get(quantity);
    if (value === undefined) return open('NOT_MEASURED', 'after: the quantity is not known');
    const achieved = tenths(value);
    return { ...promise, achieved, verdict: verdictOf(achieved, promise), reason: null };
  });
}

function verdictOf(value: number, { low, high }: PlanPromise): PromiseVerdict {
  if (value < low) return 'BELOW';
  return value > high ? 'ABOVE' : 'WITHIN';
}

function hostValues(
  quantities: readonly QuantityChange[],
  read: (change: QuantityChange) => [highest: number, deviation: number],
): Map<HostPromise, number> {
  const values = new Map<HostPromise, number>();
  for (const name of ['cpu_load', 'memory'] as const) {
    const change = quantities.find(({ quantity }) => quantity === name);
    if (change === undefined) continue;
    const [highest, deviation] = read(change);
    values.set(`${name}_highest`, highest);
    values.set(`${name}_deviation`, deviation);
  }
  return values;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
