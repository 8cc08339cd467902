import type { Logger } from '#libs/domain';
import { type Periodic, type PeriodicOptions, startPeriodic } from '#libs/service-kit';
import type { Store } from '#libs/store';
import type { PlanRunner } from '../plan-runner/plan-runner.ts';

/** A launch message normally arrives within this time; after it the poller takes the plan. */
const messageGraceMs = 10_000;
const plansPerLook = 10;

/**
 * Finds plans whose launch message was lost and plans whose applier died, so that the broker only makes things fast and
 * no plan waits for the return of the process that ran it.
 */
export function startRecoveryPoller(deps: {
  store: Store;
  runner: PlanRunner;
  /** Pause between two looks, varied by a fifth. */
  everyMs: number;
  /** Age from which a PENDING plan counts as one whose message was lost, in milliseconds; default 10,000. */
  graceMs?: number;
  logger: Logger;
  loops?: PeriodicOptions['loops'];
}): Periodic {
  const { store, runner, logger } = deps;
  return startPeriodic({
    name: 'recovery poller',
    everyMs: deps.everyMs,
    jitter: 0.2,
    logger,
    loops: deps.loops,
    async run(signal) {
      if (!runner.isFree) return;
      const found = await store.db.actionPlans.findClaimable({
        pendingMs: deps.graceMs ?? messageGraceMs,
        limit: plansPerLook,
      });
      for (const { uuid, expired } of found) {
        if (signal.aborted || !runner.isFree) return;
        const kind = expired ? 'taken_over' : 'claimed';
        const result = await runner.tryStart({ planUuid: uuid, kind }, 0);
        if (result === 'started') logger.info({ plan: uuid, kind }, 'action plan taken by the poller');
      }
    },
  });
}
