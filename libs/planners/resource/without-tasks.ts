import type { Task } from './tasks.ts';

/** Tasks without the dropped ones, numbered anew. */
export function withoutTasks(tasks: readonly Task[], dropped: ReadonlySet<number>): Task[] {
  const kept = tasks.filter(({ index }) => !dropped.has(index));
  const numbers = new Map(kept.map(({ index }, place) => [index, place]));
  return kept.map((task) => ({
    ...task,
    index: numbers.get(task.index) as number,
    parents: new Set([...task.parents].flatMap((parent) => numbers.get(parent) ?? [])),
  }));
}
