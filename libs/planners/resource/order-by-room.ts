import type { MovesTogether } from '#libs/cluster-model';
import { createRoomAccounts } from './room-accounts.ts';
import type { Task } from './tasks.ts';

/** Tasks that wait for room on a host or for another task, by `host <row>` or `task <index>`. */
type Waiting = Map<string, Task[]>;

function wait(waiting: Waiting, key: string, task: Task): void {
  const list = waiting.get(key);
  if (list === undefined) waiting.set(key, [task]);
  else list.push(task);
}

function wake(waiting: Waiting, key: string): Task[] {
  const list = waiting.get(key) ?? [];
  waiting.delete(key);
  return list;
}

/** Copies of the given tasks with their parents by room. */
export interface RoomOrder {
  tasks: Task[];
  /** Migrations in an order in which room is found. */
  placed: Task[];
  /** Migrations that find no room in any order (a circle of full hosts, a host that is too small), by index. */
  stuck: Task[];
}

/**
 * Gives migrations their parents by room. Every host can then hold its arrivals in any order that the plan allows.
 * A move occupies both its source and its destination.
 */
export function orderByRoom(given: readonly Task[], together: MovesTogether): RoomOrder {
  const tasks = given.map((task) => ({ ...task, parents: new Set(task.parents) }));
  const accounts = createRoomAccounts(together);
  const placed: Task[] = [];
  const done = new Set<number>(tasks.filter(({ isMigration }) => !isMigration).map(({ index }) => index));
  const waiting: Waiting = new Map();

  /** Reason that keeps a task from its place now. Null when there is none. */
  function waitsFor(task: Task): string | null {
    for (const parent of task.parents) if (!done.has(parent)) return `task ${parent}`;
    return accounts.covers(task) ? null : `host ${task.destinationRow}`;
  }

  function attempt(first: Task): void {
    const queue = [first];
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      const key = waitsFor(task);
      if (key !== null) {
        wait(waiting, key, task);
        continue;
      }
      accounts.place(task);
      done.add(task.index);
      placed.push(task);
      queue.push(...wake(waiting, `task ${task.index}`), ...wake(waiting, `host ${task.sourceRow}`));
    }
  }

  for (const task of tasks) if (task.isMigration) attempt(task);
  const stuck = [...waiting.values()].flat().sort((a, b) => a.index - b.index);
  return { tasks, placed, stuck };
}
