import type { Logger } from '#libs/domain';
import { startPeriodic } from '#libs/service-kit';
import { createLeader, type Leader, type Store } from '#libs/store';

/** A lead that is kept until it is stopped. */
export interface Leadership extends Pick<Leader, 'fence' | 'lost'> {
  /** Releases the lease, so that another process leads immediately. */
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
  const leader = createLeader(store.db.leases, { resource, holder, ttlMs });
  const periodic = startPeriodic({
    name: resource,
    everyMs: ttlMs / 4,
    logger,
    async run() {
      const lease = await leader.renew();
      if (!lease?.isNew) return;
      logger.info({ resource, fence: lease.fence }, 'elected leader');
      deps.onGained(lease.fence);
    },
  });
  return {
    fence: leader.fence,
    lost: leader.lost,
    async stop() {
      await periodic.stop();
      await leader.resign();
    },
  };
}
