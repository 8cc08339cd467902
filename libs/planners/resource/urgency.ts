import type { PlanLimits } from '#libs/plugin-kit';
import type { Task } from './tasks.ts';

/** How pressing a task is: the longest time that anything it holds up still takes, in the unit of durations. */
export interface Urgency {
  /** Decreases over time only. */
  of(task: Task): number;
  started(task: Task): void;
}

/** For each task its own duration and that of the longest chain of tasks that wait for it. Circles are not followed. */
function longestTails(tasks: readonly Task[]): Float64Array {
  const waiting = new Int32Array(tasks.length);
  for (const { parents } of tasks) for (const parent of parents) waiting[parent] = (waiting[parent] as number) + 1;
  const tails = Float64Array.from(tasks, ({ duration }) => duration);
  const queue = tasks.filter(({ index }) => waiting[index] === 0);
  for (let task = queue.pop(); task !== undefined; task = queue.pop()) {
    for (const parent of task.parents) {
      const before = tasks[parent];
      if (before === undefined) continue;
      tails[parent] = Math.max(tails[parent] as number, before.duration + (tails[task.index] as number));
      waiting[parent] = (waiting[parent] as number) - 1;
      if (waiting[parent] === 0) queue.push(before);
    }
  }
  return tails;
}

/** A number for each host by its name, and one more for none. */
function numberHosts(tasks: readonly Task[], hostOf: (task: Task) => string | null): Int32Array {
  const numbers = new Map<string | null, number>([[null, 0]]);
  return Int32Array.from(tasks, (task) => {
    const host = hostOf(task);
    const number = numbers.get(host) ?? numbers.size;
    numbers.set(host, number);
    return number;
  });
}

/**
 * A host with much left to send or take is a chain too: its work divided by its lanes. `tasks` are in the order of
 * their index.
 */
export function createUrgency(tasks: readonly Task[], limits: PlanLimits): Urgency {
  const tails = longestTails(tasks);
  const sources = numberHosts(tasks, ({ source }) => source);
  const destinations = numberHosts(tasks, ({ destination }) => destination);
  const toSend = new Float64Array(tasks.length + 1);
  const toTake = new Float64Array(tasks.length + 1);

  function addWork({ index, copiesData, source, destination, duration }: Task, sign: 1 | -1): void {
    if (!copiesData) return;
    const [from, to] = [sources[index] as number, destinations[index] as number];
    if (source !== null) toSend[from] = (toSend[from] as number) + (sign * duration) / limits.parallelPerSourceHost;
    if (destination !== null)
      toTake[to] = (toTake[to] as number) + (sign * duration) / limits.parallelPerDestinationHost;
  }

  for (const task of tasks) addWork(task, 1);
  return {
    of: ({ index }) =>
      Math.max(
        tails[index] as number,
        toSend[sources[index] as number] as number,
        toTake[destinations[index] as number] as number,
      ),
    started: (task) => addWork(task, -1),
  };
}
