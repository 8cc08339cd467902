import type { Task } from './tasks.ts';
import type { Urgency } from './urgency.ts';

/** A task with its dependents: their joint gain and duration. */
interface Chain {
  gain: number;
  duration: number;
}

const rateOf = ({ gain, duration }: Chain) => gain / Math.max(1, duration);

/** Whether the strategy reported gains of the actions. */
export function knowsGains(tasks: readonly Task[]): boolean {
  return tasks.some(({ action }) => action.gain !== undefined);
}

/** Every task after all that wait for it. Circles are left out. */
function childrenFirst(tasks: readonly Task[]): Task[] {
  const waiting = new Int32Array(tasks.length);
  for (const { parents } of tasks) for (const parent of parents) waiting[parent] = (waiting[parent] as number) + 1;
  const order = tasks.filter(({ index }) => waiting[index] === 0);
  for (const { parents } of order) {
    for (const parent of parents) {
      waiting[parent] = (waiting[parent] as number) - 1;
      const before = tasks[parent];
      if (before !== undefined && waiting[parent] === 0) order.push(before);
    }
  }
  return order;
}

/**
 * Urgency by gain for the duration. A task that makes room is worth as much as the best chain behind it, for the time
 * of the whole chain. So a plan that stops half-way has most of its gain. Circles are not followed.
 */
export function createGainOrder(tasks: readonly Task[]): Urgency {
  const own = tasks.map(({ action, duration }): Chain => ({ gain: action.gain ?? 0, duration }));
  const best = [...own];
  for (const { index, parents } of childrenFirst(tasks)) {
    const tail = best[index] as Chain;
    for (const parent of parents) {
      const before = own[parent] as Chain;
      const longer = { gain: before.gain + tail.gain, duration: before.duration + tail.duration };
      if (rateOf(longer) > rateOf(best[parent] as Chain)) best[parent] = longer;
    }
  }
  const rates = Float64Array.from(best, rateOf);
  return { of: ({ index }) => rates[index] as number, started: () => undefined };
}
