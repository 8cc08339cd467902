import type { PlanLimits } from '#libs/plugin-kit';
import type { Task } from './tasks.ts';

/** How pressing a task is: the longest time that anything it holds up still takes, in the unit of durations. */
export interface Urgency {
  /** Falls only as time goes by. */
  of(task: Task): number;
  started(task: Task): void;
}

/** For each task its own duration and that of the longest chain of tasks that wait for it; circles are not followed. */
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

/** A host with much left to send or take is a chain too: its work divided by its lanes. */
export function createUrgency(tasks: readonly Task[], limits: PlanLimits): Urgency {
  const tails = longestTails(tasks);
  const sources = new Map<string | null, number>();
  const destinations = new Map<string | null, number>();

  function addWork(task: Task, sign: 1 | -1): void {
    if (!task.copiesData) return;
    const { source, destination, duration } = task;
    if (source !== null) {
      sources.set(source, (sources.get(source) ?? 0) + (sign * duration) / limits.parallelPerSourceHost);
    }
    if (destination !== null) {
      const work = (sign * duration) / limits.parallelPerDestinationHost;
      destinations.set(destination, (destinations.get(destination) ?? 0) + work);
    }
  }

  for (const task of tasks) addWork(task, 1);
  return {
    of: ({ index, source, destination }) =>
      Math.max(tails[index] ?? 0, sources.get(source) ?? 0, destinations.get(destination) ?? 0),
    started: (task) => addWork(task, -1),
  };
}
