import type { WhatIf } from '#libs/cluster-model';

/** A migration of a plan: the first and the final host of an instance. */
export interface Step {
  instance: number;
  from: number;
  to: number;
}

/** Moves on a model, recorded in order so that they can be reverted. */
export interface TrialMoves {
  /** Current position in the order, for `undoTo` and `takersSince`. */
  mark(): number;
  put(instance: number, to: number): void;
  /** Reverts all moves since the mark, the last first. */
  undoTo(mark: number): void;
  /** Hosts to which instances were moved since the mark. */
  takersSince(mark: number): Set<number>;
  /** Number of instances that are not on their initial host. */
  displaced(): number;
  /** Whether the instance is not on its initial host. */
  isAway(instance: number): boolean;
  /** Every moved instance once, from its initial to its final host, in the order of the last moves. */
  lastMoves(): Step[];
}

/**
 * Starts with the current model.
 * @param moved called for every move, including reverted ones
 */
export function createTrialMoves(
  model: WhatIf,
  moved: (instance: number, from: number, to: number) => void,
): TrialMoves {
  const origin = model.hostOf.slice();
  const steps: Step[] = [];
  let displaced = 0;

  function shift(instance: number, to: number): void {
    const from = model.hostOf[instance] as number;
    displaced += Number(from === origin[instance]) - Number(to === origin[instance]);
    model.move(instance, to);
    moved(instance, from, to);
  }

  return {
    mark: () => steps.length,
    put(instance, to) {
      steps.push({ instance, from: model.hostOf[instance] as number, to });
      shift(instance, to);
    },
    undoTo(mark) {
      for (const { instance, from } of steps.splice(mark).reverse()) shift(instance, from);
    },
    takersSince: (mark) => new Set(steps.slice(mark).map(({ to }) => to)),
    displaced: () => displaced,
    isAway: (instance) => model.hostOf[instance] !== origin[instance],
    lastMoves() {
      const last = new Map<number, Step>();
      for (const step of steps) {
        last.delete(step.instance);
        last.set(step.instance, step);
      }
      return [...last.values()].map(({ instance, to }) => ({ instance, from: origin[instance] as number, to }));
    },
  };
}
