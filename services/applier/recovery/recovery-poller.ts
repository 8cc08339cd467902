import type { Logger } from '#libs/domain';
import { type Periodic, type PeriodicOptions, startPeriodic } from '#libs/service-kit';
import type { Store } from '#libs/store';
import type { PlanRunner } from '../plan-runner/plan-runner.ts';
import type { Claim } from '../plan-runner/run/claim-plan.ts';

/** A launch message normally arrives within this time. After it the poller takes the plan. */
const messageGraceMs = 10_000;
/** Plans that are claimed in parallel, each with a separate connection to the database. */
const plansAtOnce = 5;
/** Pause between the expiry of a lease and the search for its plan, in milliseconds. The database's clock decides. */
const afterLeaseMs = 50;

/**
 * Finds plans whose launch message was lost and plans whose applier died. Therefore the broker only reduces latency,
 * and no plan waits for the return of its process. The poller polls at the expiry of leases and regularly.
 */
export function startRecoveryPoller(deps: {
  store: Store;
  runner: PlanRunner;
  /** Longest pause between two polls, varied by a fifth. */
  everyMs(): number;
  /** Age in milliseconds from which the message of a PENDING plan counts as lost. Default 10,000. */
  graceMs?: number;
  logger: Logger;
  loops?: PeriodicOptions['loops'];
}): Periodic {
  const { store, runner, logger } = deps;
  let leaseTimer: NodeJS.Timeout | undefined;

  /** Returns whether the plan is started here. */
  async function take(planUuid: string, kind: Claim['kind']): Promise<boolean> {
    const result = await runner.tryStart({ planUuid, kind }, 0);
    if (result === 'started') logger.info({ plan: planUuid, kind }, 'action plan taken by the poller');
    return result === 'started';
  }

  /** Returns whether further plans may be available. */
  async function takeSome(): Promise<boolean> {
    const found = await store.db.actionPlans.findClaimable({
      pendingMs: deps.graceMs ?? messageGraceMs,
      limit: plansAtOnce,
    });
    const wanted = found.map(({ uuid, expired }) => ({ uuid, kind: expired ? 'taken_over' : 'claimed' }) as const);
    const takings = wanted.filter(({ kind }) => runner.isFreeFor(kind)).map(({ uuid, kind }) => take(uuid, kind));
    const taken = await Promise.allSettled(takings);
    const failed = taken.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    return found.length === plansAtOnce && taken.some((each) => each.status === 'fulfilled' && each.value);
  }

  async function checkAtNextLeaseEnd(): Promise<void> {
    const ms = await store.db.actionPlans.nextLeaseEnd();
    clearTimeout(leaseTimer);
    // Longer than the next pause can be.
    if (ms !== null && ms < 2 * deps.everyMs()) leaseTimer = setTimeout(periodic.wake, ms + afterLeaseMs);
  }

  const periodic = startPeriodic({
    name: 'recovery poller',
    everyMs: deps.everyMs,
    jitter: 0.2,
    logger,
    loops: deps.loops,
    async run(signal) {
      while (!signal.aborted && runner.isFreeFor('taken_over') && (await takeSome()));
      if (!signal.aborted && runner.isFreeFor('taken_over')) await checkAtNextLeaseEnd();
    },
  });
  return {
    wake: periodic.wake,
    async stop() {
      await periodic.stop();
      clearTimeout(leaseTimer);
    },
  };
}
