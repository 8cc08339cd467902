import type { PlannedAction } from '#libs/plugin-kit';
import { maxActionsPerPlan } from '#libs/service-kit/env';
import { createActionEffects, type EffectRecords } from './action-effects.ts';
import type { DayCloud } from './day-cloud.ts';

/** Concurrent actions of a plan: the default of VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN. */
const maxConcurrentActions = Number(maxActionsPerPlan.defaultText);

/** A running plan. */
export interface RunningPlan extends EffectRecords {
  /** Time of the next end of an action, in seconds. Infinite: the plan has ended. */
  nextEnd(): number;
  /** Ends the actions that are due at `second`, and starts the actions that waited for them. */
  advance(second: number): void;
}

/** Starts a plan at `second`. Its graph and the applier's limit of concurrent actions determine the order. */
export function startPlan(cloud: DayCloud, plan: readonly PlannedAction[], second: number): RunningPlan {
  const effects = createActionEffects(cloud);
  const done = new Set<string>();
  let waiting = [...plan];
  let running: { uuid: string; endsAt: number; end(at: number): void }[] = [];

  function startReady(at: number): void {
    for (let hasStarted = true; hasStarted; ) {
      const ready = waiting.filter(({ parents }) => parents.every((parent) => done.has(parent)));
      for (const action of ready) {
        if (running.length >= maxConcurrentActions) return;
        waiting = waiting.filter((other) => other !== action);
        const { duration, end } = effects.begin(action, at);
        if (duration > 0) running.push({ uuid: action.uuid, endsAt: at + duration, end });
        else done.add(action.uuid);
      }
      hasStarted = ready.length > 0;
    }
  }

  startReady(second);
  return {
    nextEnd: () => running.reduce((least, { endsAt }) => Math.min(least, endsAt), Number.POSITIVE_INFINITY),
    advance(at) {
      for (const action of running.filter(({ endsAt }) => endsAt <= at)) {
        action.end(at);
        done.add(action.uuid);
      }
      running = running.filter(({ endsAt }) => endsAt > at);
      startReady(at);
    },
    migrating: effects.migrating,
    refused: effects.refused,
    moved: effects.moved,
    services: effects.services,
  };
}
