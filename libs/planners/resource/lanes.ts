import type { PlanLimits } from '#libs/plugin-kit';
import type { Task } from './tasks.ts';

/** The places of one limit. */
export interface Lane {
  /** An entry for every free place: the task that last used it, −1 when none did. */
  free: number[];
}

/**
 * Lanes are the limits of a plan: each source host, each destination host and the plan as a whole has some, and a task
 * occupies one of each. Whoever takes over a lane waits for the task that had it.
 */
export interface Lanes {
  /** Lanes that the task needs beside that of the whole plan. */
  of(task: Task): readonly Lane[];
  /** One of them that has no place; null when all have. */
  busyLane(task: Task): Lane | null;
  /** Occupies lanes and answers the tasks that had them before. */
  enter(task: Task): number[];
  leave(task: Task): void;
  /** Whether the plan as a whole has room for another copying task. */
  anyFree(): boolean;
}

function freshLane(count: number): Lane {
  return { free: Array.from({ length: Math.max(1, Math.floor(count)) }, () => -1) };
}

/** Lanes for the given limits, all free. */
export function createLanes(limits: PlanLimits): Lanes {
  const whole = freshLane(limits.parallelMigrations);
  const perHost = new Map<string, Lane>();
  const known = new Map<number, Lane[]>();

  function hostLane(key: string, count: number): Lane {
    const found = perHost.get(key) ?? freshLane(count);
    perHost.set(key, found);
    return found;
  }

  function findLanes(task: Task): Lane[] {
    if (!task.copiesData) return [];
    const lanes: Lane[] = [];
    if (task.source !== null) lanes.push(hostLane(`source ${task.source}`, limits.parallelPerSourceHost));
    if (task.destination !== null) {
      lanes.push(hostLane(`destination ${task.destination}`, limits.parallelPerDestinationHost));
    }
    return lanes;
  }

  function lanesOf(task: Task): Lane[] {
    const found = known.get(task.index) ?? findLanes(task);
    known.set(task.index, found);
    return found;
  }

  const withWhole = (task: Task) => (task.copiesData ? [whole, ...lanesOf(task)] : []);

  return {
    of: lanesOf,
    busyLane: (task) => lanesOf(task).find(({ free }) => free.length === 0) ?? null,
    enter: (task) =>
      withWhole(task)
        .flatMap(({ free }) => free.shift() ?? [])
        .filter((last) => last >= 0),
    leave(task) {
      for (const { free } of withWhole(task)) free.push(task.index);
    },
    anyFree: () => whole.free.length > 0,
  };
}
