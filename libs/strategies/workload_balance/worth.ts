import type { WhatIf } from '#libs/cluster-model';
import type { RejectedAlternative } from '#libs/domain';
import { type LimitExcess, type MoveWorth, minutesNearLimit } from '../shared/moves/load-worth.ts';
import { moveMinutes } from '../shared/moves/move-cost.ts';
import type { Loads } from './loads.ts';

/** A chosen move. The caller applies it. */
export interface Move {
  instance: number;
  from: number;
  to: number;
  /** Instance that moves in the opposite direction. Absent for a single move. */
  partner?: number;
  rejected: RejectedAlternative[];
}

/** Benefit of moves off hosts at the threshold, based on the current loads. */
export interface Worth {
  /** Benefit when an instance leaves a host, including the one that replaces it. */
  ofLeaving(host: number, instance: number, back?: number): MoveWorth;
  /** Benefit of a move before it is made, with its partner. */
  ofMove(move: Omit<Move, 'rejected'>): MoveWorth;
  /** Benefit of moves that are made, compared to the loads at the start. */
  ofMade(instances: readonly number[]): MoveWorth;
}

/**
 * Starts with the current loads. A hot host has stayed at its threshold, so it is expected to stay there.
 * @param cpuPercent use of the CPUs of an instance, 0 to 100. NaN counts as idle
 */
export function createWorth(
  model: WhatIf,
  loads: Loads,
  { hot, threshold }: { hot: ReadonlySet<number>; threshold: number },
  cpuPercent: (instance: number) => number,
): Worth {
  const excess = (host: number) => -loads.room(threshold, host);
  const starts = new Map<number, LimitExcess>([...hot].map((host) => [host, { excess: excess(host), share: 1 }]));
  const minutes = (host: number, less = 0) => minutesNearLimit(starts.get(host), excess(host) - less);
  const price = (instance: number) => moveMinutes(model, instance, cpuPercent(instance));
  const all = () => [...hot].reduce((sum, host) => sum + minutes(host), 0);
  const atStart = all();

  function ofLeaving(host: number, instance: number, back?: number): MoveWorth {
    const less = loads.ofInstance(instance) - (back === undefined ? 0 : loads.ofInstance(back));
    return {
      avoided: minutes(host) - minutes(host, less),
      price: price(instance) + (back === undefined ? 0 : price(back)),
    };
  }

  return {
    ofLeaving,
    ofMove({ instance, from, to, partner }) {
      const both = () => minutes(from) + minutes(to);
      const before = both();
      loads.moved(instance, from, to);
      if (partner !== undefined) loads.moved(partner, to, from);
      const avoided = before - both();
      if (partner !== undefined) loads.moved(partner, from, to);
      loads.moved(instance, to, from);
      return { avoided, price: price(instance) + (partner === undefined ? 0 : price(partner)) };
    },
    ofMade: (instances) => ({
      avoided: atStart - all(),
      price: instances.reduce((sum, instance) => sum + price(instance), 0),
    }),
  };
}
