import type { WhatIf } from '#libs/cluster-model';

/** Why a host that takes an instance is passed over: another one keeps more of its soft server group. */
export const softGroup = 'soft-server-group';

/** The best of the hosts that take an instance, offered in the order in which a strategy would take them. */
export interface SoftChoice {
  /** Row, −1 as long as none was offered. */
  readonly host: number;
  /**
   * Keeps the first of those that break the fewest pairs of the soft server group. True when no later one can be
   * better.
   */
  offer(host: number): boolean;
}

/**
 * Soft groups are a cost: a host that breaks one is taken when no other is left. `passedOver` receives the hosts that
 * lose
 * by it.
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
