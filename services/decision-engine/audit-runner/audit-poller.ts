import type { Logger } from '#libs/domain';
import { type Periodic, startPeriodic } from '#libs/service-kit';
import type { LeaseRequest, Store } from '#libs/store';
import type { AuditRunner } from './audit-runner.ts';

/** A message normally arrives within this time; after it the poller takes the audit. */
const messageGraceMs = 10_000;

/**
 * Finds audits whose message was lost or whose decision engine died, so that the broker only makes things fast and is
 * never needed for them to happen.
 */
export function startAuditPoller(deps: {
  store: Store;
  runner: AuditRunner;
  lease: LeaseRequest;
  everyMs: number;
  logger: Logger;
}): Periodic {
  const { store, runner, lease, logger } = deps;
  return startPeriodic({
    name: 'audit poller',
    everyMs: deps.everyMs,
    logger,
    async run(signal) {
      for (const { uuid, expired } of await store.db.audits.findClaimable({ pendingMs: messageGraceMs, limit: 10 })) {
        if (signal.aborted) return;
        const claimed = await runner.submit(() =>
          expired ? store.db.audits.takeOver(uuid, lease) : store.db.audits.claim(uuid, lease),
        );
        if (claimed) logger.info({ audit: uuid, expired }, 'audit taken by the poller');
      }
    },
  });
}
