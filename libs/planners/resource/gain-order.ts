import type { Task } from './tasks.ts';
import type { Urgency } from './urgency.ts';

/** A task with what waits for it: what they bring together and how long they take. */
interface Chain {
  gain: number;
  duration: number;
}

const rateOf = ({ gain, duration }: Chain) => gain / Math.max(1, duration);

/** Whether somebody said what the actions bring. */
export function knowsGains(tasks: readonly Task[]): boolean {
  return tasks.some(({ action }) => action.gain !== undefined);
}

/**
 * Urgency by what a task brings for its duration. A task that makes room is worth what the best chain that waits for it brings for the time of the
 * whole chain. So a plan that is stopped half-way has brought most of what it was made for. Circles are not followed.
 */
export function createGainOrder(tasks: readonly Task[]): Urgency {
  const waiting = new Int32Array(tasks.length);
  for (const { parents } of tasks) for (const parent of parents) waiting[parent] = (waiting[parent] as number) + 1;
  const chains = tasks.map(({ action, duration }): Chain => ({ gain: action.gain ?? 0, duration }));
  const queue = tasks.filter(({ index }) => waiting[index] === 0);
  for (let task = queue.pop(); task !== undefined; task = queue.pop()) {
    const tail = chains[task.index] as Chain;
    for (const parent of task.parents) {
      const before = tasks[parent];
      if (before === undefined) continue;
      const longer = { gain: (before.action.gain ?? 0) + tail.gain, duration: before.duration + tail.duration };
      if (rateOf(longer) > rateOf(chains[parent] as Chain)) chains[parent] = longer;
      waiting[parent] = (waiting[parent] as number) - 1;
      if (waiting[parent] === 0) queue.push(before);
    }
  }
  const rates = Float64Array.from(chains, rateOf);
  return { of: ({ index }) => rates[index] as number, started: () => undefined };
}
