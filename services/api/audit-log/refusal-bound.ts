import type { Clock } from '#libs/domain';
import { createRecentMap } from '#libs/service-kit';
import type { AuditLogEntry } from '#libs/store';

/** Number of refused requests that are stored without delay. One more becomes available every second. */
const burstOfUser = 60;
/** Of all users behind an address, such as a proxy. */
const burstOfAddress = 600;
const refillMs = 1000;
const maxKeys = 10_000;

/** Counts a refused request. Whether its entry is stored. */
export type RefusalBound = (entry: Pick<AuditLogEntry, 'userId' | 'address'>) => boolean;

/**
 * Limits the stored refusals of each user and each address in this process: a burst of 60 and 600, then one per
 * second. Otherwise a user without any right could fill the audit log.
 */
export function createRefusalBound(clock: Clock): RefusalBound {
  const used = createRecentMap<string, { count: number; at: number }>(maxKeys);

  function countOf(key: string): number {
    const known = used.get(key);
    return known ? Math.max(0, known.count - (clock.now() - known.at) / refillMs) : 0;
  }

  return ({ userId, address }) => {
    const keys: [string, number][] = [
      [`user ${userId}`, burstOfUser],
      [`address ${address}`, burstOfAddress],
    ];
    if (keys.some(([key, burst]) => countOf(key) > burst - 1)) return false;
    for (const [key] of keys) used.set(key, { count: countOf(key) + 1, at: clock.now() });
    return true;
  };
}
