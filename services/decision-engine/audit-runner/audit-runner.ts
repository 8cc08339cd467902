import { type AuditReport, LeaseLostError, NotFoundError, StateConflictError, VigilError } from '#libs/domain';
import {
  createLeaseKeeper,
  createSemaphore,
  keepTrying,
  type LeaseKeeper,
  type Metrics,
  startPeriodic,
  withTimeLimit,
} from '#libs/service-kit';
import type { AuditView, LeaseRequest, Store } from '#libs/store';
import { activeSpan, inSpan, noTracer, type Span, type Tracer } from '#libs/tracing';
import { type Rests, readAuditContext } from './audit-context.ts';
import { computePlan } from './compute-plan.ts';
import { AuditAbandonedError } from './errors.ts';
import { createOngoingGuard } from './ongoing-guard.ts';
import type { ComputePlanDeps, PlanTask } from './plan-task.ts';
import { createRunEnd, type Outcome, type RunEnd } from './run-end.ts';
import { createSearchBoard, type SearchBoard, type SearchLine } from './search-board.ts';
import { storePlan } from './store-plan.ts';

export interface AuditRunnerDeps extends ComputePlanDeps, Rests {
  store: Store;
  metrics: Metrics;
  lease: LeaseRequest;
  workers: number;
  maxAttempts: number;
  /** Longest wait for the end of an outage of cloud, history or database, in milliseconds. Default 15 minutes. */
  outageMs?: number;
  /** Whether a dependency of audits is known to be unavailable. The wait then has no limit. */
  hasOutage?(): boolean;
  /** Time zone of cron expressions, an IANA name. Default UTC. */
  cronTimeZone?: string;
  /** Default: runs are not traced. */
  tracer?: Tracer;
}

/** Options of a claim. */
export interface SubmitOptions {
  /** Span of the message that requests the run. Default: none. */
  traceparent?: string | null;
  /** Whether it is a repeating audit. Free workers run all waiting ONESHOT audits first. Default false. */
  repeating?: boolean;
}

/** Runs audits that this process has claimed. */
export interface AuditRunner {
  /**
   * Waits for a free worker, calls `claim`, and runs the claimed audit in the background. Resolves when the claim is
   * committed, so the caller can acknowledge its message. False without a claimed audit.
   */
  submit(claim: () => Promise<AuditView | null>, options?: SubmitOptions): Promise<boolean>;
  /** Running searches. */
  searches: Pick<SearchBoard, 'status' | 'finish'>;
  /**
   * Accepts the best results of running searches if they arrive soon. Aborts the other runs, releases their claims, and
   * resolves when no run is left.
   */
  stop(): Promise<void>;
}

/** Time limit for a search to return its best result while the process stops, in milliseconds. */
const lastPlanMs = 3000;

/** Longest wait of an audit for pool sizes after volume moves. Backends report them once a minute. */
const poolPatienceMs = 90_000;

/** Interval at which a running audit checks for its cancellation, in milliseconds. */
const cancelCheckMs = 2000;

/** A runner without audits. `deps.workers` audits may run in parallel. */
export function createAuditRunner(deps: AuditRunnerDeps): AuditRunner {
  const slots = createSemaphore(deps.workers);
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  const searches = createSearchBoard();
  const audits = deps.metrics.counter('vigil_audits_total', 'Audit runs by outcome', ['strategy', 'outcome']);

  /**
   * Each scheduled run of a CONTINUOUS audit has a separate trace. A requested run continues the trace of the request.
   */
  function traced(audit: AuditView, traceparent?: string | null): Promise<void> {
    const { uuid, auditType, goalName, strategyName } = audit;
    const own = auditType === 'ONESHOT' ? [audit.traceparent] : [];
    const entry: Parameters<Tracer['run']>[1] = {
      // Scheduled runs have no message.
      kind: traceparent ? 'consumer' : 'internal',
      parents: [traceparent, ...own],
      related: [audit.traceparent],
      attributes: { 'vigil.audit': uuid, 'vigil.goal': goalName, 'vigil.strategy': strategyName },
    };
    return (deps.tracer ?? noTracer).run('audit', entry, (span) => run(audit, span));
  }

  async function run(audit: AuditView, span: Span | undefined): Promise<void> {
    const logger = deps.logger.child({ audit: audit.uuid });
    logger.info({ attempt: audit.attempts, goal: audit.goalName }, 'audit started');
    const search = searches.begin(audit.uuid);
    const outcome = await runClaimed(audit, search, ending.signal, { ...deps, logger }).finally(search.end);
    audits.inc({ strategy: audit.strategyName ?? 'any', outcome });
    span?.set({ 'vigil.outcome': outcome });
    // The caller with the reason reports it.
    if (outcome === 'failed') span?.fail(outcome);
    logger.info({ outcome }, 'audit ended');
  }

  /** Waits for a worker. False when `claim` returns no audit. */
  async function runNext(claim: () => Promise<AuditView | null>, traceparent?: string | null): Promise<boolean> {
    const release = await slots.acquire(ending.signal);
    try {
      const audit = await claim();
      if (!audit) {
        release();
        return false;
      }
      const task = traced(audit, traceparent)
        .catch((error: unknown) => deps.logger.error({ audit: audit.uuid, error }, 'audit run ended unexpectedly'))
        .finally(() => {
          running.delete(task);
          release();
        });
      running.add(task);
      return true;
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    async submit(claim, { traceparent, repeating = false } = {}) {
      if (!repeating) return runNext(claim, traceparent);
      for (;;) {
        let oneShot: AuditView | null = null;
        const isRun = await runNext(async () => {
          oneShot = await claimOneShot(deps);
          return oneShot ?? claim();
        }, traceparent);
        if (oneShot === null) return isRun;
      }
    },
    searches,
    async stop() {
      if (searches.finishAll()) await withTimeLimit<unknown>(Promise.all(running), lastPlanMs, () => undefined);
      ending.abort(new Error('the decision engine stops'));
      await Promise.all(running);
    },
  };
}

/** Claims the longest-waiting ONESHOT audit. Its message is later dropped as a duplicate. */
async function claimOneShot({ store, lease }: AuditRunnerDeps): Promise<AuditView | null> {
  const { audits } = store.db;
  for (const { uuid, expired } of await audits.findClaimable({ pendingMs: 0, limit: 5, onlyUrgent: true })) {
    const claimed = expired ? await audits.takeOver(uuid, lease) : await audits.claim(uuid, lease);
    if (claimed) return claimed;
  }
  return null;
}

async function runClaimed(
  audit: AuditView,
  search: SearchLine,
  ending: AbortSignal,
  deps: AuditRunnerDeps,
): Promise<Outcome> {
  const { store, logger, lease } = deps;
  const cancelled = watchForCancel(audit, deps);
  const keeper = createLeaseKeeper({
    resource: `audit ${audit.uuid}`,
    ttlMs: lease.ttlMs,
    // A cancelled audit has no lease.
    renew: async () =>
      (await store.db.audits.renewLease(audit.uuid, audit.fence!, lease.ttlMs)) || (await cancelled.check()),
    logger,
  });
  const runEnd = createRunEnd(audit, deps);
  const end: RunEnd = {
    ...runEnd,
    fail: (error, report) => keeper.ending(() => runEnd.fail(error, report)),
    giveBack: () => keeper.ending(runEnd.giveBack),
  };
  let reportSoFar: (() => AuditReport) | undefined;
  const onBegin = (soFar: () => AuditReport) => {
    reportSoFar = soFar;
  };
  try {
    if (await endExpired(audit, keeper, store)) return 'ended';
    const signal = AbortSignal.any([ending, keeper.lost, cancelled.signal]);
    return await attempt({ ...audit, onBegin, search }, { end, keeper, signal }, deps);
  } catch (error) {
    if (ending.aborted) return await giveBack(end, deps);
    const isRemoved = error instanceof NotFoundError && (await cancelled.check());
    if (isRemoved || cancelled.signal.aborted) return 'cancelled';
    // The loss of the lease is the cause of the later errors.
    const failure: unknown = keeper.lost.aborted ? keeper.lost.reason : error;
    return await endThrown(failure, {
      async store() {
        const outcome = await end.fail(error, reportSoFar?.());
        if (outcome === 'failed' || outcome === 'waiting') activeSpan()?.fail(error);
        return outcome;
      },
      onOutage: () => void forgive(audit, ending, deps),
    });
  } finally {
    await Promise.all([cancelled.stop(), keeper.stop()]);
  }
}

/**
 * Classifies the end of a failed run. Calls `onOutage` when only the database was the cause, which does not count
 * against the audit.
 */
async function endThrown(
  failure: unknown,
  { store, onOutage }: { store: () => Promise<Outcome>; onOutage: () => void },
): Promise<Outcome> {
  if (failure instanceof StateConflictError) return 'cancelled';
  if (failure instanceof LeaseLostError) {
    if (failure.cause !== undefined) onOutage();
    return 'lost';
  }
  try {
    return await store();
  } catch (error) {
    const isOutage = error instanceof VigilError && error.category === 'retryable';
    if (isOutage) onOutage();
    else if (!(error instanceof LeaseLostError)) throw error;
    // The next process that takes over the audit runs it again.
    return 'lost';
  }
}

/** Removes a run that a database outage ended from the count, after the outage. */
function forgive(audit: AuditView, ending: AbortSignal, { store, logger }: AuditRunnerDeps): Promise<void> {
  return keepTrying(() => store.db.audits.forgiveRun(audit.uuid, audit.fence!), {
    signal: ending,
    onFailure: (error, tries) => logger.info({ tries, error }, 'cannot record lost lease yet'),
  });
}

/** Ends a CONTINUOUS audit after its end time as SUCCEEDED. Returns true if it did. */
async function endExpired(audit: AuditView, keeper: LeaseKeeper, store: Store): Promise<boolean> {
  if (audit.auditType !== 'CONTINUOUS' || audit.endTime === null) return false;
  if (audit.endTime > (await store.db.now())) return false;
  const set = { nextRunTime: null };
  await keeper.ending(() => store.db.audits.transition(audit.uuid, 'succeed', { fence: audit.fence!, set }));
  return true;
}

async function attempt(
  audit: AuditView & Pick<PlanTask, 'onBegin' | 'search'>,
  { end, keeper, signal }: { end: RunEnd; keeper: LeaseKeeper; signal: AbortSignal },
  deps: AuditRunnerDeps,
): Promise<Outcome> {
  if (audit.attempts > deps.maxAttempts) throw new AuditAbandonedError(audit.attempts - 1);
  const guard = createOngoingGuard(audit);
  await guard.check(deps.store.db);
  const onModel: PlanTask['onModel'] = async (whole, models) => {
    guard.sees(whole, models);
    await guard.check(deps.store.db);
  };
  const task = { ...audit, onModel, poolPatienceMs, ...(await readAuditContext(deps.store.db, audit, deps)) };
  const computed = await computePlan(task, signal, deps);
  signal.throwIfAborted();
  const plan = await inSpan('store plan', {}, async (span) => {
    const stored = await keeper.ending(() =>
      storePlan(deps.store, audit, computed, {
        end,
        guard,
        newUuid: deps.newUuid,
        limits: deps,
        approvalRules: deps.options.approvalRules,
        automationRules: deps.options.automationRules,
      }),
    );
    span?.set({ 'vigil.plan': stored.uuid, 'vigil.actions': computed.actions.length });
    return stored;
  });
  deps.logger.info(
    { plan: plan.uuid, actions: computed.actions.length, timingsMs: computed.report.timingsMs },
    'action plan stored',
  );
  return 'succeeded';
}

/** `check` reads the audit now and returns whether it was cancelled or deleted. */
function watchForCancel(
  audit: AuditView,
  { store, logger }: AuditRunnerDeps,
): { signal: AbortSignal; check(): Promise<boolean>; stop(): Promise<void> } {
  const cancelling = new AbortController();

  async function check(): Promise<boolean> {
    const row = await store.db.audits.find(audit.uuid, { showDeleted: true });
    const isCancelled = row?.state !== 'ONGOING' || row.deletedAt !== null;
    if (isCancelled) cancelling.abort(new Error('the audit was cancelled'));
    return isCancelled;
  }

  const periodic = startPeriodic({
    name: 'audit cancel check',
    everyMs: cancelCheckMs,
    immediately: false,
    logger,
    async run() {
      await check();
    },
  });
  return { signal: cancelling.signal, check, stop: () => periodic.stop() };
}

async function giveBack(end: RunEnd, { logger }: AuditRunnerDeps): Promise<Outcome> {
  try {
    await end.giveBack();
  } catch (error) {
    logger.info({ error }, 'cannot release audit; its lease will expire');
  }
  return 'released';
}
