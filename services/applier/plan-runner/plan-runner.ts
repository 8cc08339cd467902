import { setMaxListeners } from 'node:events';
import { LeaseLostError } from '#libs/domain';
import { createLeaseKeeper, createSemaphore, keepTrying } from '#libs/service-kit';
import type { ActionPlanView } from '#libs/store';
import { noTracer, type Span, type Tracer } from '#libs/tracing';
import { RunHaltedError, RunHeldError, RunSuspendedError } from '../errors.ts';
import { readAggregates } from './limits/read-aggregates.ts';
import type { PlanRun } from './plan-run.ts';
import { type RunningPlanWatch, startPlanWatch } from './plan-watch.ts';
import { type Claim, type ClaimedPlan, claimPlan } from './run/claim-plan.ts';
import { runPlan } from './run/run-plan.ts';
import { createRunWrites, type RunWrites } from './run-writes.ts';
import type { RunnerDeps } from './runner-deps.ts';
import type { RunnerOptions } from './runner-options.ts';

/** Result of a claim. */
type ClaimResult = 'started' | 'not_available' | 'busy' | 'stopping';

/**
 * Runs plans in the background. It starts at most `workers` at once, and continues as many abandoned plans besides, so
 * that these need not wait for the end of a plan.
 */
export interface PlanRunner {
  /** Whether such a claim finds a free worker, the gate is open and the process does not stop. */
  isFreeFor(kind: Claim['kind']): boolean;
  /**
   * Waits up to `waitMs` for a free worker, unless the gate is closed, claims the plan and starts to run it. Throws
   * when the store is unavailable.
   */
  tryStart(claim: Claim, waitMs: number): Promise<ClaimResult>;
  /** Reads once whether the plan was cancelled, aborted or paused, if it runs here. */
  hint(planUuid: string): void;
  /** Resolves when no plan runs. */
  idle(): Promise<void>;
  /**
   * Starts no further action, gives the running ones `drainMs` to end, and lets the leases of unfinished plans expire
   * so that another applier continues at once.
   */
  drain(): Promise<void>;
}

/** Runs no plan yet. `options.workers` plans may run at once. */
export function createPlanRunner(deps: RunnerDeps, options: RunnerOptions): PlanRunner {
  const workers = createSemaphore(options.workers);
  const reserve = createSemaphore(options.workers);
  const draining = new AbortController();
  const halting = new AbortController();
  const watches = new Map<string, RunningPlanWatch>();
  const running = new Set<Promise<void>>();

  function start(claimed: ClaimedPlan, { kind, traceparent }: Claim, release: () => void): void {
    deps.metrics.planStarted(kind);
    const { plan } = claimed;
    const entry: Parameters<Tracer['run']>[1] = {
      kind: traceparent ? 'consumer' : 'internal',
      // A plan belongs to the trace of its audit, regardless of the process and time of its start.
      parents: [plan.traceparent, traceparent],
      related: [traceparent],
      attributes: { 'vigil.plan': plan.uuid, 'vigil.audit': plan.auditUuid, 'vigil.run': kind },
    };
    const done = (deps.tracer ?? noTracer)
      .run('action plan', entry, (span) => keep(claimed, kind, span))
      .finally(() => {
        release();
        running.delete(done);
        deps.metrics.plansRunning(running.size);
      });
    running.add(done);
    deps.metrics.plansRunning(running.size);
  }

  async function keep(
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
    // An error without an outage ends this run. Another run may succeed.
    const failing = new AbortController();
    const halt = AbortSignal.any([halting.signal, keeper.lost, failing.signal]);
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
    const runFields = {
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
      draining: draining.signal,
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
      const end = await runPlan({ ...runFields, aggregates }, kind);
      tell(span, end);
      logger.info({ end }, 'action plan ended');
      deps.metrics.planEnded(end);
    } catch (error) {
      tell(span, outcomeOf(error), error);
      if (error instanceof RunHeldError) await hold(plan, writes, error);
      if (error instanceof RunSuspendedError) await suspend(plan, { fence, keeper, writes }, error);
      failing.abort(error);
      await giveUp(plan, { fence, keeper }, error instanceof RunHeldError ? error : (halt.reason ?? error));
    } finally {
      watches.delete(plan.uuid);
      await Promise.all([watch.stop(), keeper.stop()]);
    }
  }

  /** Stores why the plan waits. Losing this write is harmless: the next run finds the same reason. */
  async function hold(plan: ActionPlanView, writes: RunWrites, error: RunHeldError): Promise<void> {
    await writes.updatePlan({ holdUntil: error.until, statusMessage: error.message }).catch((cause: unknown) => {
      deps.logger.warn({ plan: plan.uuid, error: cause }, 'reason of the wait could not be stored');
    });
  }

  /** Only an operator may continue the plan. */
  async function suspend(
    plan: ActionPlanView,
    { fence, keeper, writes }: Pick<PlanRun, 'fence' | 'keeper' | 'writes'>,
    { message: statusMessage }: RunSuspendedError,
  ): Promise<void> {
    const set = { statusMessage };
    await keeper
      .ending(() => writes.inTransaction((unit) => unit.actionPlans.transition(plan.uuid, 'hold', { fence, set })))
      .catch((cause: unknown) => {
        deps.logger.warn({ plan: plan.uuid, error: cause }, 'action plan could not be suspended');
      });
  }

  async function giveUp(
    plan: ActionPlanView,
    { fence, keeper }: Pick<PlanRun, 'fence' | 'keeper'>,
    error: unknown,
  ): Promise<void> {
    const outcome = outcomeOf(error);
    deps.metrics.planEnded(outcome);
    const fields = { plan: plan.uuid, fence, outcome, error };
    if (outcome === 'BROKEN') deps.logger.error(fields, 'run of an action plan broke');
    else deps.logger.info(fields, 'action plan is left to another applier');
    if (error instanceof LeaseLostError) {
      deps.metrics.leaseLost();
      if (error.cause !== undefined) void noteOutage(plan, fence);
      return;
    }
    try {
      await deps.store.db.planRuns.end(plan.id, fence, outcome);
      // A broken run keeps its lease until it expires, so that the next try waits.
      if (outcome === 'RELEASED') await keeper.ending(() => deps.store.db.actionPlans.releaseLease(plan.uuid, fence));
    } catch (cause) {
      deps.logger.info({ plan: plan.uuid, error: cause }, 'lease could not be released and will expire');
    }
  }

  /** Once the database is available again, records that it caused the loss of the lease. */
  function noteOutage(plan: ActionPlanView, fence: number): Promise<void> {
    return keepTrying(() => deps.store.db.planRuns.end(plan.id, fence, 'LEASE_LOST'), {
      signal: draining.signal,
      onFailure: (error, tries) =>
        deps.logger.info({ plan: plan.uuid, tries, error }, 'loss of a lease could not be noted yet'),
    });
  }

  function hasFree(kind: Claim['kind']): boolean {
    return workers.busy < options.workers || (kind === 'taken_over' && reserve.busy < options.workers);
  }

  function acquire(kind: Claim['kind'], signal: AbortSignal): Promise<() => void> {
    const useReserve = kind === 'taken_over' && workers.busy >= options.workers;
    return (useReserve ? reserve : workers).acquire(signal);
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  return {
    isFreeFor: (kind) => hasFree(kind) && !draining.signal.aborted && deps.gate.isOpen,
    async tryStart(claim, waitMs) {
      if (!deps.gate.isOpen && !draining.signal.aborted) return 'busy';
      const waiting = AbortSignal.any([draining.signal, AbortSignal.timeout(waitMs)]);
      const release = await acquire(claim.kind, waiting).catch(() => null);
      if (release === null) return draining.signal.aborted ? 'stopping' : 'busy';
      try {
        const claimed = await claimPlan(deps, options, claim);
        if (claimed === null) {
          release();
          return 'not_available';
        }
        start(claimed, claim, release);
        return 'started';
      } catch (error) {
        release();
        throw error;
      }
    },
    hint: (planUuid) => watches.get(planUuid)?.hint(),
    idle,
    async drain() {
      draining.abort(new RunHaltedError());
      const timer = setTimeout(() => halting.abort(new RunHaltedError()), options.drainMs);
      await idle();
      clearTimeout(timer);
    },
  };
}

/** How a run ended whose plan did not. */
/** A plan that is held or handed over continues later: it has not failed. */
function tell(span: Span | undefined, end: string, error: unknown = end): void {
  span?.set({ 'vigil.end': end });
  if (['FAILED', 'BROKEN', 'LEASE_LOST'].includes(end)) span?.fail(error);
}

function outcomeOf(error: unknown): 'LEASE_LOST' | 'RELEASED' | 'BROKEN' {
  if (error instanceof LeaseLostError) return 'LEASE_LOST';
  const isReleased = [RunHaltedError, RunHeldError, RunSuspendedError].some((kind) => error instanceof kind);
  return isReleased ? 'RELEASED' : 'BROKEN';
}
