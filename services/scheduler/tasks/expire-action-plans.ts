import { type Clock, type Logger, StateConflictError } from '#libs/domain';
import type { Store } from '#libs/store';

const batch = 200;

/**
 * Marks RECOMMENDED plans older than `maxAgeHours` SUPERSEDED, as Watcher's expiry job does. 0 disables it.
 * @returns the number of expired plans.
 */
export async function expireActionPlans(
  store: Store,
  options: { maxAgeHours: number; clock: Clock; logger: Logger },
): Promise<number> {
  if (options.maxAgeHours === 0) return 0;
  const before = new Date(options.clock.now() - options.maxAgeHours * 3_600_000);
  const old = await store.db.actionPlans.list({
    filters: [
      { field: 'state', value: 'RECOMMENDED' },
      { field: 'createdAt', op: 'lt', value: before },
    ],
    sortKey: 'createdAt',
    limit: batch,
  });
  let expired = 0;
  for (const plan of old) {
    try {
      await store.db.actionPlans.transition(plan.uuid, 'supersede', {
        set: { statusMessage: `Not started within ${options.maxAgeHours} hours; the cluster has moved on.` },
      });
      expired += 1;
    } catch (error) {
      // Started or cancelled since: the condition of the update covers this case.
      if (!(error instanceof StateConflictError)) throw error;
    }
  }
  if (expired > 0) options.logger.info({ expired }, 'old action plans superseded');
  return expired === batch ? expired + (await expireActionPlans(store, options)) : expired;
}
