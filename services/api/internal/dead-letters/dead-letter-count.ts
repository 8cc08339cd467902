import type { Clock } from '#libs/domain';
import type { DeadLetters } from '#libs/messaging';
import type { Metrics } from '#libs/service-kit';
import type { Store } from '#libs/store';

/** Counts the dead letters of the bus, for the metric and, when the number has changed, for the change stream. */
export interface DeadLetterCount {
  /** @throws BusUnavailableError, StoreUnavailableError */
  measure(): Promise<void>;
}

/** Makes the count. Processes that see the same number tell it once each. */
export function createDeadLetterCount(deps: {
  letters: Pick<DeadLetters, 'deadLetterCount'>;
  store: Store;
  metrics: Metrics;
  clock: Clock;
}): DeadLetterCount {
  const gauge = deps.metrics.gauge('vigil_bus_dead_letters', 'Messages that were given up and wait for an operator');
  let told: number | null = null;
  return {
    async measure() {
      const count = await deps.letters.deadLetterCount();
      gauge.set(count);
      if (count === told) return;
      const doc = { count, changed_at: new Date(deps.clock.now()).toISOString() };
      await deps.store.db.publishedStates.publish({ kind: 'dead_letters', name: 'bus', doc });
      told = count;
    },
  };
}
