import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '#libs/store';

const everyMs = 250;

/** Observed leases of plans. */
export interface LeaseSamples {
  /** Last observed end of the lease with this fencing number. Null when it was never observed. */
  endOf(planUuid: string, fence: number): Date | null;
  stop(): Promise<void>;
}

/**
 * Samples the leases of running plans. The database keeps only the last lease of each plan.
 * @param aborted ends the samples
 */
export function sampleLeases(store: Store, aborted: AbortSignal): LeaseSamples {
  const ends = new Map<string, Date>();
  let isEnding = false;

  async function sample(): Promise<void> {
    const filters = [{ field: 'state' as const, op: 'in' as const, value: ['ONGOING', 'CANCELLING'] }];
    for (const { uuid, fence, leaseExpiresAt } of await store.db.actionPlans.list({ filters })) {
      if (leaseExpiresAt !== null) ends.set(`${uuid} ${fence}`, leaseExpiresAt);
    }
  }

  async function follow(): Promise<void> {
    while (!isEnding && !aborted.aborted) {
      // The database may be unavailable.
      await sample().catch(() => undefined);
      await sleep(everyMs);
    }
  }

  const following = follow();
  return {
    endOf: (planUuid, fence) => ends.get(`${planUuid} ${fence}`) ?? null,
    stop() {
      isEnding = true;
      return following;
    },
  };
}
