import { type IdSource, type JsonObject, LeaseLostError, type Logger } from '#libs/domain';
import type { ServiceEvent, Store, UnitOfWork } from '#libs/store';
import { createJobRunner, type RacePoint } from './job-runner.ts';
import { leaderRule, orphanRule } from './reconcile-rules.ts';
import type { RecoveryRule } from './recovery-rule.ts';

/** Lease of the one coordinator that acts. */
export const coordinatorLease = 'leader:recovery-coordinator';
const eventsPerPass = 100;
/** Orphans of one kind that are checked in a pass. */
const orphansPerPass = 50;
const orphanGraceMs = 10_000;
/** An orphan is not sent again earlier than this. */
const orphanAgainMs = 60_000;
/** Older messages than this mean that the bus takes none: sending more would not help. */
const stuckOutboxSeconds = 5;

export interface RecoveryEngineDeps {
  store: Store;
  rules: readonly RecoveryRule[];
  newUuid: IdSource;
  logger: Logger;
  /** Called with each decision after its commit. */
  onDecision?(rule: string, outcome: string): void;
  racePoint?: RacePoint;
}

/**
 * Turns events into jobs and takes jobs from phase to phase. Every step is one transaction that holds the leader's
 * lease, so a coordinator that lost it cannot write. The next leader repeats uncommitted steps.
 */
export interface RecoveryEngine {
  /** Opens the jobs of an event and acknowledges it. Twice is as good as once. */
  handle(event: ServiceEvent, fence: number): Promise<void>;
  /** Opens the job of a coordinator that has just become the leader. */
  takeOffice(fence: number): Promise<void>;
  /** One pass: events, orphans, jobs. @throws LeaseLostError */
  run(fence: number): Promise<void>;
}

/** Keeps nothing itself: jobs and events are rows. */
export function createRecoveryEngine(deps: RecoveryEngineDeps): RecoveryEngine {
  const { store, rules, logger, racePoint = () => undefined } = deps;

  /** A transaction of the leader. */
  function lead<T>(fence: number, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    return store.transaction(async (unit) => {
      await unit.recovery.holdLease(coordinatorLease, fence);
      return work(unit);
    });
  }

  const runJob = createJobRunner({ ...deps, racePoint, lead });

  function open(unit: UnitOfWork, rule: RecoveryRule, key: string, subject: JsonObject, againAfterMs?: number) {
    const { name, firstPhase, timeLimitMs } = rule;
    const jobKey = `${name}:${key}`;
    return unit.recovery.openJob({ jobKey, rule: name, subject, phase: firstPhase, timeLimitMs, againAfterMs });
  }

  async function handle(event: ServiceEvent, fence: number): Promise<void> {
    await racePoint('before-event');
    await lead(fence, async (unit) => {
      for (const rule of rules) {
        const subject = rule.opensFor(event);
        if (subject !== null) await open(unit, rule, String(event.id), subject);
      }
      await racePoint('in-event');
      await unit.registry.acknowledge(event.id);
    });
    await racePoint('after-event');
  }

  async function openOrphans(fence: number): Promise<void> {
    const { oldestSeconds } = await store.outboxQueue.backlog();
    if (oldestSeconds > stuckOutboxSeconds) return;
    for (const kind of ['plan', 'audit'] as const) {
      const repository = kind === 'plan' ? store.db.actionPlans : store.db.audits;
      const found = await repository.findClaimable({ pendingMs: orphanGraceMs, limit: orphansPerPass });
      if (found.length === 0) continue;
      await lead(fence, async (unit) => {
        for (const { uuid } of found) await open(unit, orphanRule, `${kind}:${uuid}`, { kind, uuid }, orphanAgainMs);
      });
    }
  }

  return {
    handle,
    async takeOffice(fence) {
      await lead(fence, (unit) => open(unit, leaderRule, String(fence), { fence }));
    },
    async run(fence) {
      for (const event of await store.db.registry.pendingEvents(eventsPerPass)) await handle(event, fence);
      await openOrphans(fence);
      for (const jobKey of await store.db.recovery.openJobs()) {
        try {
          await runJob(jobKey, fence);
        } catch (error) {
          if (error instanceof LeaseLostError) throw error;
          logger.info({ job: jobKey, error }, 'recovery step failed, retrying later');
        }
      }
      await store.db.registry.endLateRequests();
    },
  };
}
