import type { PlanProgress, PlanShape } from './plan-shape.ts';

/** Plays a plan: seconds until its last action ends, when each takes the seconds at its place. */
export type PlanPlayer = (seconds: readonly number[]) => number;

/** Concurrent actions of a plan. */
export interface ParallelLimits {
  /** Actions of the plan. */
  workers: number;
  /** Migrations out of one host, into one host, and in one network. */
  source: number;
  destination: number;
  network: number;
}

/**
 * A player for the rest of a plan: each action starts after its parents, in the order of the shape, and when all its
 * lanes have room. Running actions keep theirs.
 */
export function createPlanPlayer(shape: PlanShape, limits: ParallelLimits, progress: PlanProgress): PlanPlayer {
  const { uuids } = shape;
  const { openParents, children } = dependenciesOf(shape, progress);
  const isRunning = (at: number) => progress.runningSeconds.has(uuids[at] ?? '');
  const places = uuids.flatMap((uuid, at) => (progress.ended.has(uuid) ? [] : [at]));
  const running = places.filter(isRunning);
  const waiting = places.filter((at) => !isRunning(at) && openParents[at] === 0);
  const laneLimits = laneLimitsOf(shape, limits);
  const lanesOf = shape.lanesOf.map((lanes) => [...lanes, shape.lanes.length]);

  return (seconds) => {
    const open = openParents.slice();
    const lanes = createLanes(lanesOf, laneLimits);
    const events = createEvents();
    let now = 0;
    const start = (at: number) => {
      lanes.enter(at);
      events.push(now + (seconds[at] ?? 0), at);
    };
    const finish = (parent: number) => {
      lanes.leave(parent, start);
      for (const child of children[parent] ?? []) {
        open[child] = (open[child] ?? 0) - 1;
        if (open[child] === 0 && !isRunning(child) && lanes.admit(child)) start(child);
      }
    };
    for (const at of running) start(at);
    for (const at of waiting) if (lanes.admit(at)) start(at);
    for (let event = events.pop(); event; event = events.pop()) {
      now = event.time;
      finish(event.at);
    }
    return now;
  };
}

/** Limits of the lanes of a shape. The last lane is the plan, which all actions occupy. */
function laneLimitsOf({ lanes }: PlanShape, limits: ParallelLimits): number[] {
  const limitOf = (name: string) => limits[name.slice(0, name.indexOf(':')) as keyof ParallelLimits];
  return [...lanes.map(limitOf), limits.workers].map((limit) => Math.max(1, limit));
}

/** Occupied lanes. An action that finds no room waits at the first full lane, and is tried again when that has room. */
function createLanes(lanesOf: readonly (readonly number[])[], limits: readonly number[]) {
  const occupied = new Int32Array(limits.length);
  const queues = new Map<number, number[]>();
  const isFull = (lane: number) => (occupied[lane] ?? 0) >= (limits[lane] ?? 1);
  const of = (at: number) => lanesOf[at] ?? [];

  /** Returns whether all lanes have room. Otherwise the action waits. */
  function admit(at: number): boolean {
    const full = of(at).find(isFull);
    if (full === undefined) return true;
    const queue = queues.get(full);
    if (queue) queue.push(at);
    else queues.set(full, [at]);
    return false;
  }

  function change(at: number, by: 1 | -1): void {
    for (const lane of of(at)) occupied[lane] = (occupied[lane] ?? 0) + by;
  }

  return {
    admit,
    enter: (at: number) => change(at, 1),
    leave(ended: number, start: (at: number) => void) {
      change(ended, -1);
      for (const lane of of(ended)) {
        const queue = queues.get(lane) ?? [];
        let tried = 0;
        for (; tried < queue.length && !isFull(lane); tried += 1) {
          const at = queue[tried] ?? 0;
          if (admit(at)) start(at);
        }
        queue.splice(0, tried);
      }
    },
  };
}

function dependenciesOf({ uuids, starts, parents }: PlanShape, { ended }: PlanProgress) {
  const openParents = new Int32Array(uuids.length);
  const children = uuids.map((): number[] => []);
  for (let at = 0; at < uuids.length; at += 1) {
    for (let index = starts[at] ?? 0; index < (starts[at + 1] ?? 0); index += 1) {
      const parent = parents[index] ?? 0;
      if (ended.has(uuids[parent] ?? '')) continue;
      openParents[at] = (openParents[at] ?? 0) + 1;
      children[parent]?.push(at);
    }
  }
  return { openParents, children };
}

/** Ends of running actions. A plan runs a few concurrent actions, so the next end is found by a scan. */
function createEvents() {
  const running: { time: number; at: number }[] = [];
  return {
    size: () => running.length,
    push: (time: number, at: number) => void running.push({ time, at }),
    pop() {
      let first = 0;
      for (let index = 1; index < running.length; index += 1) {
        if ((running[index]?.time ?? 0) < (running[first]?.time ?? 0)) first = index;
      }
      const [event] = running.splice(first, 1);
      return event;
    },
  };
}
