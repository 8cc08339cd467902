import type { Gate } from '#libs/dependencies';
import type { IdSource, Logger } from '#libs/domain';
import { type Periodic, type PeriodicOptions, startPeriodic } from '#libs/service-kit';
import { type AuditView, type LeaseRequest, type Store, startQueuedAlertRun } from '#libs/store';
import type { AuditRunner } from './audit-runner.ts';
import { isCron, nextRunTime } from './next-run-time.ts';

/** A message normally arrives within this time. After it the poller takes the audit. */
const messageGraceMs = 10_000;
/** Most queued runs that one round starts. */
const queuedRunsAtOnce = 10;

/**
 * Finds due CONTINUOUS audits, and audits whose message was lost or whose decision engine died. The broker only
 * reduces latency and is never required. Also starts the runs that alerts have queued.
 */
export function startAuditPoller(deps: {
  store: Store;
  runner: AuditRunner;
  lease: LeaseRequest;
  /** While it is closed no audit is taken. Default: always open. */
  gate?: Pick<Gate, 'isOpen'>;
  everyMs: number | (() => number);
  newUuid: IdSource;
  /** Time zone of cron expressions, an IANA name. Default UTC. */
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
      await startQueuedRuns(deps);
      for (const { uuid, expired } of await store.db.audits.findClaimable({ pendingMs: messageGraceMs, limit: 10 })) {
        if (signal.aborted) return;
        const claimed = await runner.submit(() => claimDue(store, lease, { uuid, expired, timeZone }), {
          repeating: true,
        });
        if (claimed) logger.info({ audit: uuid, expired }, 'audit taken by the poller');
      }
    },
  });
}

/** Each queued run of a free audit becomes its requested run. A message then triggers it. */
async function startQueuedRuns({
  store,
  newUuid,
  logger,
}: {
  store: Store;
  newUuid: IdSource;
  logger: Logger;
}): Promise<void> {
  for (const run of await store.db.alertRuns.listStartable(queuedRunsAtOnce)) {
    const isStarted = await store.transaction((unit) => startQueuedAlertRun(unit, run, newUuid));
    if (isStarted) logger.info({ audit: run.auditUuid, run: run.uuid }, 'queued run of alerts started');
  }
}

/**
 * Claims an audit that `findClaimable` has listed. An audit with a cron expression but without a time does not run but
 * gets its first time, and keeps its state. An audit with an invalid interval is claimed, and its run fails with the
 * reason. `timeZone` is that of cron expressions. Default UTC. @returns null without a run.
 */
async function claimDue(
  store: Store,
  lease: LeaseRequest,
  { uuid, expired, timeZone }: { uuid: string; expired: boolean; timeZone?: string },
): Promise<AuditView | null> {
  if (await scheduleFirstRun(store, uuid, timeZone)) return null;
  return expired ? store.db.audits.takeOver(uuid, lease) : store.db.audits.claim(uuid, lease);
}

async function scheduleFirstRun(store: Store, uuid: string, timeZone?: string): Promise<boolean> {
  const found = await store.db.audits.find(uuid);
  if (!found || !lacksTime(found)) return false;
  return store.transaction(async (unit) => {
    await unit.lock(`audit-schedule:${uuid}`);
    const [audit, now] = [await unit.audits.get(uuid), await unit.now()];
    const isOver = audit.endTime !== null && audit.endTime <= now;
    if (!lacksTime(audit) || isOver) return false;
    const first = firstTime(audit.interval, now, timeZone);
    if (first === null) return false;
    await unit.audits.update(uuid, { nextRunTime: first });
    return true;
  });
}

function lacksTime(audit: AuditView): boolean {
  return audit.auditType === 'CONTINUOUS' && audit.nextRunTime === null && isCron(audit.interval);
}

function firstTime(interval: string | null, now: Date, timeZone?: string): Date | null {
  try {
    return nextRunTime({ interval, due: now, now, failedRuns: 0, timeZone });
  } catch {
    return null;
  }
}
