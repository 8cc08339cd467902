import type { Logger } from '#libs/domain';
import { startPeriodic } from '#libs/service-kit';
import type { Store } from '#libs/store';

/** Whether this process is the one that acts, and under which fencing number. */
export interface Leadership {
  /** Null while another process leads. */
  fence(): number | null;
  /** The lease was found to belong to another. */
  lost(): void;
  /** Gives the lease up, so that another process leads at once. */
  stop(): Promise<void>;
}

/** Takes a named lease when it is free, and keeps it. */
export function keepLeadership(deps: {
  store: Store;
  resource: string;
  holder: string;
  ttlMs: number;
  logger: Logger;
  /** After the lease was taken with a new number. */
  onGained(fence: number): void;
}): Leadership {
  const { store, resource, holder, ttlMs, logger } = deps;
  let held: { fence: number; until: number } | null = null;
  const periodic = startPeriodic({
    name: resource,
    everyMs: ttlMs / 4,
    logger,
    async run() {
      const begin = performance.now();
      const lease = await store.db.leases.acquire(resource, holder, ttlMs);
      const former = held?.fence;
      held = lease && { fence: lease.fence, until: begin + ttlMs };
      if (held && held.fence !== former) {
        logger.info({ resource, fence: held.fence }, 'leads');
        deps.onGained(held.fence);
      }
    },
  });
  return {
    fence: () => (held !== null && performance.now() < held.until ? held.fence : null),
    lost: () => {
      held = null;
    },
    async stop() {
      await periodic.stop();
      if (held) await store.db.leases.release(resource, held.fence);
      held = null;
    },
  };
}
