import { createHash } from 'node:crypto';
import { type AlertScope, alertScopeOf } from '#libs/domain';
import { type AlertReceiver, type AuditView, lockAlerts, startAlertRun, type UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../api-deps.ts';
import type { AlertNotification } from './read-notification.ts';

/** Reasons for the result of a notification, with their text. */
export const receiptReasons = {
  group_fires: 'The group of alerts fires, and the audit is free.',
  audit_is_busy: 'The audit runs, or a plan of it is started; the run starts after that.',
  resolved: 'No alert of the group fires.',
  no_scope: 'No alert that fires has one of the labels that name the scope.',
  run_is_open: 'The run of this group has not ended, or its plan is started.',
  is_queued: 'The run of this group is queued.',
  repeated: 'The group was run lately.',
  queue_is_full: 'The run of another group is queued. Alertmanager sends this group again while it fires.',
  audit_is_closed: 'The audit is cancelled or suspended.',
} as const;

/** Result of a notification. */
export interface AlertReceipt {
  result: 'started' | 'queued' | 'ignored';
  reason: keyof typeof receiptReasons;
  /** Uuid of the run of the group. Null when it has none. */
  run: string | null;
}

interface Group {
  audit: AuditView;
  hash: string;
  scope: AlertScope;
  repeatSeconds: number;
}

/**
 * Starts or queues a run of an EVENT audit for a group of alerts, or ignores the notification. Notifications for one
 * audit are handled sequentially.
 */
export async function receiveAlerts(
  deps: Pick<RouteDeps, 'store' | 'newUuid'>,
  audit: AuditView,
  notification: AlertNotification,
  requestId: string,
): Promise<AlertReceipt> {
  const { store, newUuid } = deps;
  const receiver = await store.db.alertReceivers.find(audit.id);
  await store.db.alertReceivers.noteUse(audit.id);
  const group = receiver && groupOf(audit, receiver, notification);
  if (group === null || notification.firing.length === 0) return ignored('resolved');
  if (group.scope?.length === 0) return ignored('no_scope');
  // Most notifications repeat others. These need no transaction, and no entry in the audit log.
  const first = await judge(store.db, group);
  if (first.result === 'ignored') return first;
  return store.transaction(async (unit) => {
    await lockAlerts(unit, audit.uuid);
    const receipt = await judge(unit, group);
    if (receipt.result === 'ignored') return receipt;
    const run = { uuid: newUuid(), auditId: audit.id, groupHash: group.hash, scope: group.scope };
    if (!(await unit.alertRuns.insert(run, receipt.result))) return ignored('queue_is_full');
    if (receipt.result === 'started') await startAlertRun(unit, audit.uuid, run, { newUuid, requestId });
    return { ...receipt, run: run.uuid };
  });
}

function groupOf(audit: AuditView, receiver: AlertReceiver, { groupKey, firing }: AlertNotification): Group {
  const hash = createHash('sha256').update(groupKey).digest('base64url');
  const { labels, repeatSeconds } = receiver;
  return { audit, hash, repeatSeconds, scope: alertScopeOf(firing, labels) };
}

async function judge(
  { alertRuns }: Pick<UnitOfWork, 'alertRuns'>,
  { audit, hash, repeatSeconds }: Group,
): Promise<AlertReceipt> {
  const place = await alertRuns.place(audit.id);
  if (place === 'closed') return ignored('audit_is_closed');
  const last = await alertRuns.lastOfGroup(audit.id, hash);
  if (last !== null) {
    if (last.startedAt === null) return ignored('is_queued', last.uuid);
    const isOpen = place === 'busy' && (await alertRuns.lastStarted(audit.id)) === last.uuid;
    if (isOpen) return ignored('run_is_open', last.uuid);
    if (last.ageSeconds < repeatSeconds) return ignored('repeated', last.uuid);
  }
  return place === 'free'
    ? { result: 'started', reason: 'group_fires', run: null }
    : { result: 'queued', reason: 'audit_is_busy', run: null };
}

function ignored(reason: AlertReceipt['reason'], run: string | null = null): AlertReceipt {
  return { result: 'ignored', reason, run };
}
