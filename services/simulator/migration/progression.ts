import type { SimulatedClock } from '../simulated-clock.ts';
import type { Timeline } from '../timeline.ts';
import type { TransferEngine } from './transfer-engine.ts';

/** Advances everything that takes time to the simulated now. */
export interface Progression {
  /** Runs all due steps. Cheap without any. */
  advance(): void;
}

/** Steps from event to event, so the result is independent of the number of calls. */
export function createProgression(clock: SimulatedClock, timeline: Timeline, transfers: TransferEngine): Progression {
  let reached = clock.seconds();
  const leastStep = 1e-9;

  return {
    advance() {
      const target = clock.seconds();
      for (;;) {
        const next = Math.min(timeline.secondsToNext(), transfers.secondsToNext());
        const last = reached + next > target;
        const step = Math.max(0, Math.min(next, target - reached));
        timeline.pass(step);
        transfers.advance(last ? step : Math.max(step, leastStep));
        timeline.runDue();
        reached = last ? Math.max(reached, target) : reached + step;
        if (last) return;
      }
    },
  };
}
