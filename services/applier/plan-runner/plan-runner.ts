import { createSemaphore } from '#libs/service-kit';
import { noTracer, type Tracer } from '#libs/tracing';
import { RunHaltedError } from '../errors.ts';
import { createClaimedRuns } from './claimed-runs.ts';
import { type Claim, type ClaimedPlan, claimPlan } from './run/claim-plan.ts';
import type { RunnerDeps } from './runner-deps.ts';
import type { RunnerOptions } from './runner-options.ts';

/** Result of a claim. */
type ClaimResult = 'started' | 'not_available' | 'busy' | 'stopping';

/**
 * Runs plans in the background. It runs at most `workers` started plans in parallel, and in addition as many abandoned
 * plans, which therefore do not wait for the end of another plan.
 */
export interface PlanRunner {
  /** Whether a worker is free for such a claim, the gate is open and the process is not stopping. */
  isFreeFor(kind: Claim['kind']): boolean;
  /**
   * Waits up to `waitMs` for a free worker, unless the gate is closed, claims the plan and starts to run it. Throws
   * when the store is unavailable.
   */
  tryStart(claim: Claim, waitMs: number): Promise<ClaimResult>;
  /** Reads the plan's row once for cancel, abort and pause requests, if the plan runs here. */
  hint(planUuid: string): void;
  /** Resolves when no plan is running. */
  idle(): Promise<void>;
  /**
   * Starts no further action, waits up to `drainMs` for running actions, and releases the leases of unfinished plans.
   * Another applier then continues immediately.
   */
  drain(): Promise<void>;
}

/** A runner without plans. `options.workers` plans may run in parallel. */
export function createPlanRunner(deps: RunnerDeps, options: RunnerOptions): PlanRunner {
  const workers = createSemaphore(options.workers);
  const reserve = createSemaphore(options.workers);
  const draining = new AbortController();
  const halting = new AbortController();
  const runs = createClaimedRuns(deps, options, { draining: draining.signal, halting: halting.signal });
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
      .run('action plan', entry, (span) => runs.run(claimed, kind, span))
      .finally(() => {
        release();
        running.delete(done);
        deps.metrics.plansRunning(running.size);
      });
    running.add(done);
    deps.metrics.plansRunning(running.size);
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
    hint: runs.hint,
    idle,
    async drain() {
      draining.abort(new RunHaltedError());
      const timer = setTimeout(() => halting.abort(new RunHaltedError()), options.drainMs);
      await idle();
      clearTimeout(timer);
    },
  };
}
