import type { Clock } from '#libs/domain';
import type { DeadLetters } from '#libs/messaging';
import type { Metrics } from '#libs/service-kit';
import type { Store } from '#libs/store';

/**
 * Counts the dead letters of the bus, for the metric and, with the background tasks that failed, for the change stream when one
 * of the numbers has changed.
 */
export interface DeadLetterCount {
  /** @throws BusUnavailableError, StoreUnavailableError */
  measure(): Promise<void>;
}

/** Makes the count. Processes that see the same numbers tell them once each. */
export function createDeadLetterCount(deps: {
  letters: Pick<DeadLetters, 'deadLetterCount'>;
  store: Store;
  metrics: Metrics;
  clock: Clock;
}): DeadLetterCount {
  const gauge = deps.metrics.gauge('vigil_bus_dead_letters', 'Messages that were given up and wait for an operator');
  let told: string | null = null;
  return {
    async measure() {
      const count = await deps.letters.deadLetterCount();
      gauge.set(count);
      const tasks = (await deps.store.db.tasks.counts()).filter(({ state }) => state === 'FAILED');
      const numbers = { count, failed_tasks: tasks.reduce((sum, ofQueue) => sum + ofQueue.count, 0) };
      const text = JSON.stringify(numbers);
      if (text === told) return;
      const doc = { ...numbers, changed_at: new Date(deps.clock.now()).toISOString() };
      await deps.store.db.publishedStates.publish({ kind: 'dead_letters', name: 'bus', doc });
      told = text;
    },
  };
}
