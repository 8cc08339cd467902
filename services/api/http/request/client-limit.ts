import type { Clock } from '#libs/domain';
import { createRecentMap } from '#libs/service-kit';

/** Maximum number of buckets. The least recently used is evicted first. */
export const maxClients = 10_000;

interface Bucket {
  /** Burst of requests. */
  left: number;
  at: number;
}

/** Buckets of one limit, for at most `maxClients` clients. */
export interface ClientLimit {
  /** Returns 0, or the seconds that the client has to wait. */
  take(client: string): number;
  /** Returns the last token to the bucket. */
  giveBack(client: string): void;
}

/**
 * A limit of `limit` requests per minute for each client, with a burst of the same size. Read each time. 0: unlimited.
 */
export function createClientLimit(limit: () => number, clock: Clock): ClientLimit {
  const buckets = createRecentMap<string, Bucket>(maxClients);
  return {
    take(client) {
      const perMinute = limit();
      if (perMinute === 0) return 0;
      const perMs = perMinute / 60_000;
      const now = clock.now();
      const bucket = buckets.get(client) ?? { left: perMinute, at: now };
      const left = Math.min(perMinute, bucket.left + (now - bucket.at) * perMs);
      buckets.set(client, { left: left < 1 ? left : left - 1, at: now });
      return left >= 1 ? 0 : Math.ceil((1 - left) / perMs / 1000);
    },
    giveBack(client) {
      const bucket = buckets.get(client);
      if (bucket) bucket.left = Math.min(limit(), bucket.left + 1);
    },
  };
}
