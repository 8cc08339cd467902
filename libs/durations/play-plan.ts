import type { PlanProgress, PlanShape } from './plan-shape.ts';

/** Plays a plan: seconds until its last action ends, when each takes the seconds at its place. */
export type PlanPlayer = (seconds: readonly number[]) => number;

/**
 * A player for the rest of a plan: each action starts after its parents, in the order of the shape, and `workers` run
 * at once. Running actions keep their workers.
 */
export function createPlanPlayer(shape: PlanShape, workers: number, progress: PlanProgress): PlanPlayer {
  const { uuids } = shape;
  const { openParents, children } = dependenciesOf(shape, progress);
  const isRunning = (at: number) => progress.runningSeconds.has(uuids[at] ?? '');
  const places = uuids.flatMap((uuid, at) => (progress.ended.has(uuid) ? [] : [at]));
  const running = places.filter(isRunning);
  const waiting = places.filter((at) => !isRunning(at));
  const firstReady = [...running, ...waiting.filter((at) => openParents[at] === 0)];

  return (seconds) => {
    const open = openParents.slice();
    const ready = [...firstReady];
    const events = createEvents();
    const lastWorker = Math.max(1, workers);
    const finish = (parent: number) => {
      for (const child of children[parent] ?? []) {
        open[child] = (open[child] ?? 0) - 1;
        if (open[child] === 0 && !isRunning(child)) ready.push(child);
      }
    };
    let now = 0;
    for (let next = 0; ; ) {
      for (; next < ready.length && events.size() < lastWorker; next += 1) {
        const at = ready[next] ?? 0;
        events.push(now + (seconds[at] ?? 0), at);
      }
      const event = events.pop();
      if (!event) return now;
      now = event.time;
      finish(event.at);
    }
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

/** Ends of running actions. A plan runs a few actions at once, so the next end is found by a scan. */
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
