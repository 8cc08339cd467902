import { setMaxListeners } from 'node:events';
import { createLeaseKeeper } from '#libs/service-kit';
import type { Span } from '#libs/tracing';
import { leavePlan, outcomeOf } from './leave-plan.ts';
import { readAggregates } from './limits/read-aggregates.ts';
import { type RunningPlanWatch, startPlanWatch } from './plan-watch.ts';
import type { Claim, ClaimedPlan } from './run/claim-plan.ts';
import { runPlan } from './run/run-plan.ts';
import { createRunWrites } from './run-writes.ts';
import type { RunnerDeps } from './runner-deps.ts';
import type { RunnerOptions } from './runner-options.ts';

/** The runs of claimed plans in this process. Each run renews its lease and watches its plan until the end. */
export interface ClaimedRuns {
  /** Runs the plan until its end, a hand-over or the loss of its lease. Never rejects because of errors of the plan. */
  run(claimed: ClaimedPlan, kind: Claim['kind'], span: Span | undefined): Promise<void>;
  /** Reads the plan's row once for cancel, abort and pause requests, if the plan runs here. */
  hint(planUuid: string): void;
}

export interface RunSignals {
  /** Fires when no further action may start. */
  draining: AbortSignal;
  /** Fires when all work must stop immediately. */
  halting: AbortSignal;
}

/** Runs no plan yet. */
export function createClaimedRuns(deps: RunnerDeps, options: RunnerOptions, signals: RunSignals): ClaimedRuns {
  const watches = new Map<string, RunningPlanWatch>();

  async function run(
    { plan, formerHost, firstStarted, clock }: ClaimedPlan,
    kind: Claim['kind'],
    span: Span | undefined,
  ): Promise<void> {
    const fence = plan.fence ?? 0;
    const logger = deps.logger.child({ plan: plan.uuid, fence });
    const keeper = createLeaseKeeper({
      resource: `action plan ${plan.uuid}`,
      ttlMs: options.leaseTtlMs,
      marginMs: options.guardMarginMs,
      renew: () => deps.store.db.actionPlans.renewLease(plan.uuid, fence, options.leaseTtlMs),
      logger,
    });
    // An error that is not an outage ends this run. Another run may succeed.
    const failing = new AbortController();
    const halt = AbortSignal.any([signals.halting, keeper.lost, failing.signal]);
    // Every wait of every action listens to it.
    setMaxListeners(0, halt);
    const watch = startPlanWatch(deps.store, { plan, everyMs: options.watchIntervalMs, logger });
    watches.set(plan.uuid, watch);
    const writes = createRunWrites(deps.store, {
      planUuid: plan.uuid,
      fence,
      leaseTtlMs: options.leaseTtlMs,
      halt,
      onBroken: (error) => failing.abort(error),
      logger,
    });
    const held = {
      deps,
      options,
      cloud: deps.cloud,
      plan,
      formerHost,
      firstStarted,
      fence,
      clock,
      keeper,
      writes,
      halt,
      draining: signals.draining,
      watch,
    };
    try {
      logger.info({ kind }, 'action plan started');
      const aggregates = await readAggregates(options.limits, {
        cloud: deps.cloud,
        requestId: `req-${deps.newUuid()}`,
        halt,
        logger,
      });
      const end = await runPlan({ ...held, aggregates }, kind);
      reportEnd(span, end);
      logger.info({ end }, 'action plan ended');
      deps.metrics.planEnded(end);
    } catch (error) {
      reportEnd(span, outcomeOf(error), error);
      await leavePlan(held, error, failing);
    } finally {
      watches.delete(plan.uuid);
      await Promise.all([watch.stop(), keeper.stop()]);
    }
  }

  return { run, hint: (planUuid) => watches.get(planUuid)?.hint() };
}

/** A plan that is held or handed over has not failed. It continues later. */
function reportEnd(span: Span | undefined, end: string, error: unknown = end): void {
  span?.set({ 'vigil.end': end });
  if (['FAILED', 'BROKEN', 'LEASE_LOST'].includes(end)) span?.fail(error);
}
