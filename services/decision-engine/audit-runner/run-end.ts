import {
  type AuditReport,
  doublingPause,
  InvalidInputError,
  type Logger,
  messageOf,
  StateConflictError,
  VigilError,
} from '#libs/domain';
import type { AuditView, Store, UnitOfWork } from '#libs/store';
import { ActionPlanOngoingError, AuditAbandonedError } from './errors.ts';
import { logFailure } from './log-failure.ts';
import { nextRunTime } from './next-run-time.ts';

/** Default of the longest wait for unavailable dependencies of an audit, in milliseconds: 15 minutes. */
const defaultOutageMs = 900_000;

const pauses = { firstMs: 5000, longestMs: 60_000 };

/**
 * End of one run of an audit. `skipped`: a plan is ongoing. `waiting`: a dependency is unavailable, and the audit runs
 * again.
 */
export type Outcome = 'succeeded' | 'failed' | 'waiting' | 'skipped' | 'cancelled' | 'released' | 'lost' | 'ended';

/** Stores the end of a run, for each audit type. All writes carry the fencing number. */
export interface RunEnd {
  /** In the transaction that stores the plan, before the plan. */
  succeed(unit: UnitOfWork, report: AuditReport): Promise<void>;
  /** `report`: the data known at the failure. Default: the report of the previous run stays. */
  fail(error: unknown, report?: AuditReport): Promise<Outcome>;
  /** Releases the run for another process, or for the next start of this process. */
  giveBack(): Promise<void>;
}

export interface RunEndDeps {
  store: Store;
  logger: Logger;
  /** How long an outage of cloud, history or database is waited for, in milliseconds. Default 15 minutes. */
  outageMs?: number;
  /** Whether an outage is known to continue. The wait then has no limit. Default false. */
  hasOutage?(): boolean;
  /** Time zone of cron expressions, an IANA name. Default UTC. */
  cronTimeZone?: string;
}

/** The implementation for the type of the audit. */
export function createRunEnd(audit: AuditView, deps: RunEndDeps): RunEnd {
  return audit.auditType === 'CONTINUOUS' ? continuousEnd(audit, deps) : singleEnd(audit, deps);
}

/** ONESHOT and EVENT: the end of the run ends the audit, until an EVENT audit is triggered again. */
function singleEnd(audit: AuditView, deps: RunEndDeps): RunEnd {
  const { store, logger, outageMs = defaultOutageMs } = deps;
  const fence = audit.fence ?? undefined;
  const isEvent = audit.auditType === 'EVENT';
  const settled = { nextRunTime: null, failedRuns: 0 };

  /** The audit stays ONGOING without a holder. Any engine may take it over. */
  async function waitForEndOfOutage(error: unknown, waitMs: number, report?: AuditReport): Promise<Outcome> {
    const nextRunTime = new Date((await store.db.now()).getTime() + waitMs);
    const statusMessage = `${messageOf(error)}; the audit is run again at ${nextRunTime.toISOString()}`;
    const attempts = Math.max(0, audit.attempts - 1);
    const reported = known(report ?? withoutPhase(audit.report));
    const set = { nextRunTime, statusMessage, attempts, failedRuns: audit.failedRuns + 1, ...reported };
    await store.db.audits.transition(audit.uuid, 'wait', { fence, set });
    return 'waiting';
  }

  return {
    async succeed(unit, report) {
      const set = { report, statusMessage: report.emptyBecause, ...settled };
      await unit.audits.transition(audit.uuid, 'succeed', { fence, set });
    },
    async fail(error, report) {
      logFailure(error, logger);
      const limitMs = deps.hasOutage?.() ? Number.POSITIVE_INFINITY : outageMs;
      const waitMs = outageWait(error, audit.failedRuns, limitMs);
      if (waitMs !== null) return waitForEndOfOutage(error, waitMs, report);
      const planIsOngoing = error instanceof ActionPlanOngoingError;
      const set = { statusMessage: messageOf(error), ...settled, ...known(report ?? withoutPhase(audit.report)) };
      if (planIsOngoing && isEvent) {
        await store.db.audits.transition(audit.uuid, 'release', { fence, set });
        return 'skipped';
      }
      await store.db.audits.transition(audit.uuid, planIsOngoing ? 'cancel' : 'fail', { fence, set });
      return planIsOngoing ? 'cancelled' : 'failed';
    },
    async giveBack() {
      // A PENDING EVENT audit waits for its webhook. This audit was already triggered, so it stays ONGOING and is taken
      // over.
      const event = isEvent ? 'wait' : 'release';
      const attempts = Math.max(0, audit.attempts - 1);
      await store.db.audits.transition(audit.uuid, event, { fence, set: { hostname: null, attempts } });
    },
  };
}

/** CONTINUOUS: after each run the audit stays ONGOING and waits for its next run. */
function continuousEnd(audit: AuditView, { store, logger, cronTimeZone: timeZone }: RunEndDeps): RunEnd {
  const fence = audit.fence ?? undefined;

  /** The current row, because changes during the run count from now on. */
  async function schedule(unit: UnitOfWork, failedRuns: number, hasRun = true) {
    const now = await unit.now();
    const current = await unit.audits.get(audit.uuid);
    // The first run of an interval in seconds is due when it is claimed.
    const due = audit.nextRunTime ?? audit.updatedAt ?? now;
    const next = nextRunTime({ interval: current.interval, due, now, failedRuns, timeZone });
    // A skipped turn does not count as a run.
    return { nextRunTime: next, failedRuns, attempts: 0, ...(hasRun ? { lastRunAt: now } : {}) };
  }

  return {
    async succeed(unit, report) {
      const next = await schedule(unit, 0);
      const set = { ...next, report, statusMessage: report.emptyBecause };
      await unit.audits.transition(audit.uuid, 'wait', { fence, set });
      await cancelOlderPlans(unit, audit);
    },
    async fail(error, report) {
      logFailure(error, logger);
      const planIsOngoing = error instanceof ActionPlanOngoingError;
      const statusMessage = messageOf(error);
      const reported = known(report ?? withoutPhase(audit.report));
      if (error instanceof AuditAbandonedError && audit.failedRuns > 0) {
        // The previous run also failed: the audit would crash further engines.
        const set = { statusMessage, nextRunTime: null, ...reported };
        await store.db.audits.transition(audit.uuid, 'fail', { fence, set });
        return 'failed';
      }
      try {
        const next = await schedule(store.db, audit.failedRuns + (planIsOngoing ? 0 : 1), !planIsOngoing);
        await store.db.audits.transition(audit.uuid, 'wait', {
          fence,
          set: { ...next, statusMessage, ...reported },
        });
      } catch (scheduleError) {
        if (!(scheduleError instanceof InvalidInputError)) throw scheduleError;
        // Without a next time the audit ends.
        const set = { statusMessage: messageOf(scheduleError), ...reported };
        await store.db.audits.transition(audit.uuid, 'fail', { fence, set });
      }
      return planIsOngoing ? 'skipped' : 'failed';
    },
    async giveBack() {
      const attempts = Math.max(0, audit.attempts - 1);
      await store.db.audits.transition(audit.uuid, 'wait', { fence, set: { attempts } });
    },
  };
}

function known(report: AuditReport | undefined): { report?: AuditReport } {
  return report ? { report } : {};
}

/** A report of an earlier run, without the failed phase of this run. */
function withoutPhase(report: AuditReport | null): AuditReport | undefined {
  if (!report?.failedIn) return undefined;
  const { failedIn: _phase, ...rest } = report;
  return rest;
}

/** Only the newest plan of a CONTINUOUS audit is recommended. A plan that is starting is left unchanged. */
async function cancelOlderPlans(unit: UnitOfWork, audit: AuditView): Promise<void> {
  const plans = await unit.actionPlans.list({
    filters: [
      { field: 'auditId', value: audit.id },
      { field: 'state', value: 'RECOMMENDED' },
    ],
  });
  const set = { statusMessage: 'The audit has been run again.' };
  for (const plan of plans) {
    await unit.actionPlans.transition(plan.uuid, 'cancelBeforeStart', { set }).catch((error: unknown) => {
      if (!(error instanceof StateConflictError)) throw error;
    });
  }
}

/**
 * Pause before an audit runs again after an outage: 5 s, doubling to 60 s. @param failedRuns earlier runs that failed
 * because of the outage.
 * @returns milliseconds. Null when the error is not temporary, or the wait has reached its limit.
 */
export function outageWait(error: unknown, failedRuns: number, outageMs: number): number | null {
  if (!(error instanceof VigilError) || error.category !== 'retryable') return null;
  let waited = 0;
  for (let run = 0; run < failedRuns; run += 1) waited += doublingPause(run, pauses);
  return waited < outageMs ? doublingPause(failedRuns, pauses) : null;
}
