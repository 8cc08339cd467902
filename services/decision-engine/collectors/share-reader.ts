import type { Clock } from '#libs/domain';
import type { Cloud, CloudCallOptions } from '#libs/openstack';
import { createSemaphore } from '#libs/service-kit';

/** Whether each server has a share. Null when that could not be read. */
export type AttachedShares = ReadonlyMap<string, boolean | null>;

/** Reads and caches the shares of servers, with one request for each server. */
export interface ShareReader {
  /**
   * Null when the catalogue has no share service. After `mostMs` the remaining servers stay unread until the next
   * call. Rejects only when the signal fires.
   */
  read(cloud: Cloud, servers: readonly string[], options: CloudCallOptions): Promise<AttachedShares | null>;
}

interface Options {
  clock: Clock;
  /** Time for which a result is used, in milliseconds. */
  maxAgeMs: number;
  /** Concurrent requests. */
  concurrency: number;
  /** Time limit of all requests of one call, in milliseconds. Default 20 s. */
  mostMs?: number;
}

const defaultMostMs = 20_000;

/** Creates a reader without results. */
export function createShareReader({ clock, maxAgeMs, concurrency, mostMs = defaultMostMs }: Options): ShareReader {
  let known = new Map<string, { has: boolean; atMs: number }>();

  return {
    async read(cloud, servers, options) {
      const hasService = await cloud.hasShareService?.(options).catch(() => {
        options.signal?.throwIfAborted();
        return true;
      });
      if (hasService !== true) return null;
      const startMs = clock.now();
      const semaphore = createSemaphore(concurrency);
      const isFresh = (uuid: string) => startMs - (known.get(uuid)?.atMs ?? Number.NEGATIVE_INFINITY) < maxAgeMs;

      async function readOne(uuid: string): Promise<void> {
        const release = await semaphore.acquire(options.signal);
        try {
          if (clock.now() - startMs >= mostMs) return;
          const shares = await cloud.compute.listServerShares(uuid, options);
          known.set(uuid, { has: (shares ?? []).length > 0, atMs: clock.now() });
        } catch {
          options.signal?.throwIfAborted();
        } finally {
          release();
        }
      }

      await Promise.all(servers.filter((uuid) => !isFresh(uuid)).map(readOne));
      const result = new Map(servers.map((uuid) => [uuid, isFresh(uuid) ? (known.get(uuid)?.has ?? null) : null]));
      known = new Map([...known].filter(([uuid]) => result.has(uuid)));
      return result;
    },
  };
}
