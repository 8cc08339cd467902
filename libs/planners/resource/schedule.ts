import type { ComputeSnapshot } from '#libs/cluster-model';
import type { PlanLimits } from '#libs/plugin-kit';
import { createEventQueue } from './event-queue.ts';
import { createGainOrder, knowsGains } from './gain-order.ts';
import { createLanes } from './lanes.ts';
import { createReadyQueue } from './ready-queue.ts';
import type { Task } from './tasks.ts';
import { createUrgency } from './urgency.ts';

/** Counts of unfinished parents, and the dependents of each task. */
function createDependencies(tasks: readonly Task[]) {
  const open = tasks.map(({ parents }) => parents.size);
  const children = tasks.map((): number[] => []);
  for (const task of tasks) for (const parent of task.parents) children[parent]?.push(task.index);
  return { open, children };
}

/**
 * Simulates the plan with estimated durations. Every task starts as early as its parents and the limits allow. Tasks
 * with the greatest gain for their duration come first, or without gains those with the longest chain of dependents.
 * Adds the parents that keep the limits: the previous task of a lane. Returns the tasks by start, parents before
 * children. A circle of parents, which only a contradictory set of actions can have, is cut at its first task.
 */
export function schedule(tasks: readonly Task[], limits: PlanLimits, snapshot: ComputeSnapshot): Task[] {
  const { open, children } = createDependencies(tasks);
  const lanes = createLanes(limits, snapshot);
  const events = createEventQueue();
  const urgency = knowsGains(tasks) ? createGainOrder(tasks) : createUrgency(tasks, limits);
  const ready = createReadyQueue(lanes, urgency);
  const started = new Set<number>();
  const order: Task[] = [];
  let now = 0;

  function makeReady(task: Task): void {
    if (task.copiesData) ready.add(task);
    else start(task);
  }

  function start(task: Task): void {
    started.add(task.index);
    urgency.started(task);
    order.push(task);
    for (const parent of lanes.enter(task)) task.parents.add(parent);
    events.push({ at: now + task.duration, index: task.index });
  }

  function finish(task: Task): void {
    lanes.leave(task);
    for (const lane of lanes.of(task)) ready.freed(lane);
    for (const child of children[task.index] ?? []) {
      open[child] = (open[child] as number) - 1;
      const next = tasks[child];
      if (open[child] === 0 && next !== undefined && !started.has(child)) makeReady(next);
    }
  }

  function startReady(): void {
    while (lanes.anyFree()) {
      const task = ready.take();
      if (task === undefined) return;
      start(task);
    }
  }

  function cutCircle(): boolean {
    const task = tasks.find(({ index }) => !started.has(index));
    if (task === undefined) return false;
    for (const parent of [...task.parents]) if (!started.has(parent)) task.parents.delete(parent);
    makeReady(task);
    return true;
  }

  for (const task of tasks) if (task.parents.size === 0) makeReady(task);
  do {
    startReady();
    for (let event = events.pop(); event !== undefined; event = events.pop()) {
      now = event.at;
      finish(tasks[event.index] as Task);
      startReady();
    }
  } while (cutCircle());
  return order;
}
