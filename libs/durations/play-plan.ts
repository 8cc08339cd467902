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
 * lanes have room. Running actions keep theirs. Lists of plans play thousands of actions many times, so columns of
 * numbers hold everything.
 */
export function createPlanPlayer(shape: PlanShape, limits: ParallelLimits, progress: PlanProgress): PlanPlayer {
  const { uuids } = shape;
  const isEnded = Uint8Array.from(uuids, (uuid) => Number(progress.ended.has(uuid)));
  const isRunning = Uint8Array.from(uuids, (uuid) => Number(progress.runningSeconds.has(uuid)));
  const { openParents, children } = dependenciesOf(shape, isEnded);
  const places = uuids.flatMap((_, at) => (isEnded[at] === 1 ? [] : [at]));
  const running = places.filter((at) => isRunning[at] === 1);
  const waiting = places.filter((at) => isRunning[at] === 0 && openParents[at] === 0);
  const laneLimits = laneLimitsOf(shape, limits);
  const lanesOf = columnsOf(shape.lanesOf.map((lanes) => [...lanes, shape.lanes.length]));

  return (seconds) => {
    const open = openParents.slice();
    const lanes = createLanes(lanesOf, laneLimits);
    const events = createEvents(uuids.length);
    let now = 0;
    const start = (at: number) => {
      lanes.enter(at);
      events.push(now + (seconds[at] ?? 0), at);
    };
    const finish = (parent: number) => {
      lanes.leave(parent, start);
      for (let index = children.starts[parent]!; index < children.starts[parent + 1]!; index += 1) {
        const child = children.values[index]!;
        open[child]! -= 1;
        if (open[child] === 0 && isRunning[child] === 0 && lanes.admit(child)) start(child);
      }
    };
    for (const at of running) start(at);
    for (const at of waiting) if (lanes.admit(at)) start(at);
    for (let ended = events.pop(); ended >= 0; ended = events.pop()) {
      now = events.now();
      finish(ended);
    }
    return now;
  };
}

/** Limits of the lanes of a shape. The last lane is the plan, which all actions occupy. */
function laneLimitsOf({ lanes }: PlanShape, limits: ParallelLimits): Int32Array {
  const limitOf = (name: string) => limits[name.slice(0, name.indexOf(':')) as keyof ParallelLimits];
  const most = 2 ** 31 - 1;
  return Int32Array.from([...lanes.map(limitOf), limits.workers], (limit) => Math.min(most, Math.max(1, limit)));
}

/** Lists of numbers in two columns: the list `i` is `values[starts[i]]` to before `values[starts[i + 1]]`. */
interface Columns {
  starts: Uint32Array;
  values: Uint32Array;
}

function columnsOf(lists: readonly (readonly number[])[]): Columns {
  const starts = new Uint32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) starts[at + 1] = starts[at]! + list.length;
  const values = new Uint32Array(starts[lists.length]!);
  for (const [at, list] of lists.entries()) values.set(list, starts[at]!);
  return { starts, values };
}

/** No action in a queue. */
const none = -1;

/**
 * Occupied lanes. An action that finds no room waits at the first full lane, and is tried again when that has room. An
 * action waits at one lane at a time, so a queue is a chain of places.
 */
function createLanes({ starts, values }: Columns, limits: Int32Array) {
  const occupied = new Int32Array(limits.length);
  const heads = new Int32Array(limits.length).fill(none);
  const tails = new Int32Array(limits.length).fill(none);
  const next = new Int32Array(starts.length).fill(none);
  const isFull = (lane: number) => occupied[lane]! >= limits[lane]!;

  /** Returns whether all lanes have room. Otherwise the action waits. */
  function admit(at: number): boolean {
    for (let index = starts[at]!; index < starts[at + 1]!; index += 1) {
      const lane = values[index]!;
      if (!isFull(lane)) continue;
      next[at] = none;
      if (heads[lane] === none) heads[lane] = at;
      else next[tails[lane]!] = at;
      tails[lane] = at;
      return false;
    }
    return true;
  }

  function change(at: number, by: 1 | -1): void {
    for (let index = starts[at]!; index < starts[at + 1]!; index += 1) occupied[values[index]!]! += by;
  }

  return {
    admit,
    enter: (at: number) => change(at, 1),
    leave(ended: number, start: (at: number) => void) {
      change(ended, -1);
      for (let index = starts[ended]!; index < starts[ended + 1]!; index += 1) {
        const lane = values[index]!;
        while (heads[lane] !== none && !isFull(lane)) {
          const at = heads[lane]!;
          heads[lane] = next[at]!;
          if (admit(at)) start(at);
        }
      }
    },
  };
}

function dependenciesOf({ uuids, starts, parents }: PlanShape, isEnded: Uint8Array) {
  const openParents = new Int32Array(uuids.length);
  const children: Columns = { starts: new Uint32Array(uuids.length + 1), values: new Uint32Array(parents.length) };
  for (const parent of parents) if (isEnded[parent] === 0) children.starts[parent + 1]! += 1;
  for (let at = 0; at < uuids.length; at += 1) children.starts[at + 1]! += children.starts[at]!;
  const filled = children.starts.slice();
  for (let at = 0; at < uuids.length; at += 1) {
    for (let index = starts[at]!; index < starts[at + 1]!; index += 1) {
      const parent = parents[index]!;
      if (isEnded[parent] === 1) continue;
      children.values[filled[parent]!] = at;
      filled[parent]! += 1;
      openParents[at]! += 1;
    }
  }
  return { openParents, children };
}

/** Ends of running actions, in the order of their starts. Few run at the same time, so a scan finds the next. */
function createEvents(most: number) {
  const times = new Float64Array(most);
  const places = new Int32Array(most);
  let count = 0;
  let now = 0;
  return {
    now: () => now,
    push(time: number, at: number): void {
      times[count] = time;
      places[count] = at;
      count += 1;
    },
    /** Returns the place of the next action that ends, and goes to that time. -1: none runs. */
    pop(): number {
      if (count === 0) return -1;
      let first = 0;
      for (let index = 1; index < count; index += 1) if (times[index]! < times[first]!) first = index;
      const at = places[first]!;
      now = times[first]!;
      times.copyWithin(first, first + 1, count);
      places.copyWithin(first, first + 1, count);
      count -= 1;
      return at;
    },
  };
}
