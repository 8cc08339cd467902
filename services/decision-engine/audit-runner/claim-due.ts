import type { AuditView, LeaseRequest, Store } from '#libs/store';
import { isCron, nextRunTime } from './next-run-time.ts';

/**
 * Takes an audit that `findClaimable` has listed. One whose interval is cron text and that has no time yet is not run but
 * given its first time; until then it keeps its state. One whose interval is none is claimed, so that the run fails with the
 * reason.
 * `timeZone` is that of cron text; default UTC.
 * @returns null when there is nothing to run.
 */
export async function claimDue(
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
