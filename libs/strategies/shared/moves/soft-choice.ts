import type { WhatIf } from '#libs/cluster-model';

/** Reason against a host that accepts an instance: another host keeps more of its soft server group. */
export const softGroup = 'soft-server-group';

/** Chooses among the hosts that accept an instance, in the order of the strategy's preference. */
export interface SoftChoice {
  /** Row, −1 until a host was offered. */
  readonly host: number;
  /**
   * Keeps the first host that breaks the fewest pairs of the soft server group. Returns true when no later host can be
   * better.
   */
  offer(host: number): boolean;
}

/**
 * Soft groups are a cost: a host that breaks one is used when no other is left. `passedOver` receives the hosts that
 * are rejected for it.
 */
export function createSoftChoice(model: WhatIf, instance: number, passedOver?: (host: number) => void): SoftChoice {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  return {
    get host() {
      return best;
    },
    offer(host) {
      const cost = model.softCost(instance, host);
      const loser = cost < least ? best : host;
      if (loser >= 0) passedOver?.(loser);
      if (cost < least) {
        best = host;
        least = cost;
      }
      return least === 0;
    },
  };
}
