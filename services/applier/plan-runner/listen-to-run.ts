import type { PlanRun } from './plan-run.ts';

/** Wakes a loop on everything but an ended action that may change what can begin: people's wishes, stop, freed hosts. */
export function listenToRun(run: PlanRun, wake: () => void): () => void {
  const stops = [run.watch.onLook(wake), run.deps.occupancy.onFreed(wake)];
  for (const signal of [run.halt, run.draining]) signal.addEventListener('abort', wake);
  return () => {
    for (const stop of stops) stop();
    for (const signal of [run.halt, run.draining]) signal.removeEventListener('abort', wake);
  };
}
