import type { Logger } from '#libs/domain';
import { type Periodic, type PeriodicOptions, startPeriodic } from '#libs/service-kit';
import type { LeaseRequest, Store } from '#libs/store';
import type { Gate } from '#libs/watchers';
import type { AuditRunner } from './audit-runner.ts';
import { claimDue } from './claim-due.ts';

/** A message normally arrives within this time; after it the poller takes the audit. */
const messageGraceMs = 10_000;

/**
 * Finds CONTINUOUS audits that are due, and audits whose message was lost or whose decision engine died: the broker only
 * makes things fast and is never needed for them to happen.
 */
export function startAuditPoller(deps: {
  store: Store;
  runner: AuditRunner;
  lease: LeaseRequest;
  /** While it is closed no audit is taken; default: always open. */
  gate?: Pick<Gate, 'isOpen'>;
  everyMs: number;
  /** Of cron text, an IANA name; default UTC. */
  cronTimeZone?: string;
  logger: Logger;
  loops?: PeriodicOptions['loops'];
}): Periodic {
  const { store, runner, lease, logger, cronTimeZone: timeZone } = deps;
  return startPeriodic({
    name: 'audit poller',
    everyMs: deps.everyMs,
    logger,
    loops: deps.loops,
    async run(signal) {
      if (deps.gate?.isOpen === false) return;
      for (const { uuid, expired } of await store.db.audits.findClaimable({ pendingMs: messageGraceMs, limit: 10 })) {
        if (signal.aborted) return;
        const claimed = await runner.submit(() => claimDue(store, lease, { uuid, expired, timeZone }));
        if (claimed) logger.info({ audit: uuid, expired }, 'audit taken by the poller');
      }
    },
  });
}
