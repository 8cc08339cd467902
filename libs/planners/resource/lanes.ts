import type { PlanLimits } from '#libs/plugin-kit';
import type { Task } from './tasks.ts';

/** Free lanes of one limit: each entry is the task that last used the lane, −1 when none did. */
type FreeLanes = number[];

/**
 * Lanes are the limits of a plan: each source host, each destination host and the plan as a whole has some, and a task
 * occupies one of each. Whoever takes over a lane waits for the task that had it.
 */
export interface Lanes {
  isFree(task: Task): boolean;
  /** Occupies lanes and answers the tasks that had them before. */
  enter(task: Task): number[];
  leave(task: Task): void;
  /** Whether the plan as a whole has room for another copying task. */
  anyFree(): boolean;
}

function freshLanes(count: number): FreeLanes {
  return Array.from({ length: Math.max(1, Math.floor(count)) }, () => -1);
}

/** Lanes for the given limits, all free. */
export function createLanes(limits: PlanLimits): Lanes {
  const whole = freshLanes(limits.parallelMigrations);
  const perHost = new Map<string, FreeLanes>();

  function hostLanes(key: string, count: number): FreeLanes {
    const known = perHost.get(key);
    if (known !== undefined) return known;
    const fresh = freshLanes(count);
    perHost.set(key, fresh);
    return fresh;
  }

  function findLanes(task: Task): FreeLanes[] {
    if (!task.copiesData) return [];
    const lanes = [whole];
    if (task.source !== null) lanes.push(hostLanes(`source ${task.source}`, limits.parallelPerSourceHost));
    if (task.destination !== null) {
      lanes.push(hostLanes(`destination ${task.destination}`, limits.parallelPerDestinationHost));
    }
    return lanes;
  }

  const known = new Map<number, FreeLanes[]>();

  function lanesOf(task: Task): FreeLanes[] {
    const found = known.get(task.index) ?? findLanes(task);
    known.set(task.index, found);
    return found;
  }

  return {
    isFree: (task) => lanesOf(task).every((lanes) => lanes.length > 0),
    enter: (task) =>
      lanesOf(task)
        .flatMap((lanes) => (lanes.shift() as number) ?? [])
        .filter((last) => last >= 0),
    leave(task) {
      for (const lanes of lanesOf(task)) lanes.push(task.index);
    },
    anyFree: () => whole.length > 0,
  };
}
