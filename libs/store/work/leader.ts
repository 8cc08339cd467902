import type { Leases } from './leases.ts';

/** Whether this process is the leader, and its fencing number. */
export interface Leader {
  /** Takes the lease or renews it. @returns null while another process holds it. `isNew` with every new number */
  renew(): Promise<{ fence: number; isNew: boolean } | null>;
  /** Null unless the lease was held at the last renewal and cannot have expired since then. */
  fence(): number | null;
  /** Called when another process holds the lease. */
  lost(): void;
  /** Releases the lease. Another process can then lead immediately. */
  resign(): Promise<void>;
}

/** A candidate for the lease `resource`, without the lease. */
export function createLeader(
  leases: Pick<Leases, 'acquire' | 'release'>,
  { resource, holder, ttlMs }: { resource: string; holder: string; ttlMs: number },
): Leader {
  let held: { fence: number; until: number } | null = null;
  return {
    async renew() {
      const startedAt = performance.now();
      const lease = await leases.acquire(resource, holder, ttlMs);
      const isNew = held?.fence !== lease?.fence;
      held = lease && { fence: lease.fence, until: startedAt + ttlMs };
      return lease && { fence: lease.fence, isNew };
    },
    fence: () => (held !== null && performance.now() < held.until ? held.fence : null),
    lost() {
      held = null;
    },
    async resign() {
      const fence = held?.fence;
      held = null;
      if (fence !== undefined) await leases.release(resource, fence);
    },
  };
}
