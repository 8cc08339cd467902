import { createHash } from 'node:crypto';
import type { JsonObject } from '#libs/domain';
import type { AuditLogEntry, AuditView, ChangeRow } from '#libs/store';
import { cadfEventsOf } from './cadf-events.ts';
import { eventsOf, type NotificationEvent, type NotifiedKind } from './events-of.ts';
import type { Notification } from './notification.ts';
import { actionPayload, auditPayload, type Beside, planPayload, type StateUpdate } from './payloads.ts';
import type { RelatedRows } from './read-related.ts';

/** The notifications of a change. None for a kind without notifications, or for a row removed permanently. */
export function notificationsOf(change: ChangeRow, rows: RelatedRows): Notification[] {
  const kind = notifiedKind(change.kind);
  if (kind === null) return [];
  const state = textOf(change.doc, 'state');
  const update: StateUpdate = {
    oldState: change.oldState,
    state: change.oldState === null ? null : (state ?? 'DELETED'),
    statusMessage: change.oldState === null ? null : textOf(change.doc, 'status_message'),
  };
  return eventsOf(kind, { ...change, state, failedIn: failedInOf(change.doc) }).flatMap((event) => {
    const payload = payloadOf(kind, change, event, { rows, update });
    if (payload === null) return [];
    const { eventType, priority } = event;
    return [{ messageId: messageIdOf(change, eventType), eventType, priority, payload, at: change.at }];
  });
}

/** The CADF events of a change of the audit log. None when its entry is no longer there. */
export function auditEventsOf(change: ChangeRow, entries: ReadonlyMap<string, AuditLogEntry>): Notification[] {
  const entry = entries.get(change.entityUuid);
  if (change.kind !== 'audit_log' || entry === undefined) return [];
  return cadfEventsOf(entry, change.at).map(({ eventType, payload }) => {
    return { messageId: messageIdOf(change, eventType), eventType, priority: 'info', payload, at: change.at };
  });
}

function notifiedKind(kind: string): NotifiedKind | null {
  return kind === 'audit' || kind === 'action_plan' || kind === 'action' ? kind : null;
}

function payloadOf(
  kind: NotifiedKind,
  change: ChangeRow,
  event: NotificationEvent,
  { rows, update }: { rows: RelatedRows; update: StateUpdate },
): JsonObject | null {
  const beside = besideOf(event, update);
  const shown = { ...shownBy(change.doc), ...(event.shownState ? { state: event.shownState } : {}) };
  const name = event.payloadName;
  const uuid = change.entityUuid;
  if (kind === 'action') {
    const action = rows.actions.get(uuid);
    const plan = action && rows.plans.get(action.actionPlanUuid);
    return plan ? actionPayload(name, { ...action, ...shown } as typeof action, plan, beside) : null;
  }
  if (kind === 'action_plan') {
    const plan = rows.plans.get(uuid);
    const [audit, strategy] = [rows.audits.get(plan?.auditUuid ?? ''), rows.strategies.get(plan?.strategyUuid ?? '')];
    if (!plan || !audit || !strategy) return null;
    return planPayload(name, { ...plan, ...shown } as typeof plan, { audit, strategy }, beside);
  }
  const audit = rows.audits.get(uuid);
  return audit ? payloadOfAudit(name, { ...audit, ...shown } as typeof audit, rows, beside) : null;
}

function payloadOfAudit(name: string, audit: AuditView, rows: RelatedRows, beside: Beside): JsonObject | null {
  const goal = rows.goals.get(audit.goalUuid);
  const strategy = rows.strategies.get(audit.strategyUuid ?? '') ?? null;
  return goal ? auditPayload(name, audit, { goal, strategy }, beside) : null;
}

function besideOf(event: NotificationEvent, update: StateUpdate): Beside {
  if (event.beside === 'update') return { kind: 'update', update };
  return event.beside === 'phase' ? { kind: 'phase', failedIn: event.failedIn } : { kind: 'plain' };
}

/** State of the row right after the change, where later changes matter. */
function shownBy(doc: JsonObject | null): { state?: string; statusMessage?: string | null; updatedAt?: Date | null } {
  if (doc === null) return {};
  const updatedAt = textOf(doc, 'updated_at');
  return {
    ...(typeof doc.state === 'string' ? { state: doc.state } : {}),
    statusMessage: textOf(doc, 'status_message'),
    updatedAt: updatedAt === null ? null : new Date(updatedAt),
  };
}

/** The phase that the report of an audit names as the one in which its run failed. */
function failedInOf(doc: JsonObject | null): string | null {
  const report = doc?.report;
  return typeof report === 'object' && report !== null && !Array.isArray(report) ? textOf(report, 'failedIn') : null;
}

function textOf(doc: JsonObject | null, field: string): string | null {
  const value = doc?.[field];
  return typeof value === 'string' ? value : null;
}

/** A uuid that follows from the change, so that a notification that is sent again is known again. */
function messageIdOf(change: ChangeRow, eventType: string): string {
  const name = [change.entityUuid, change.epoch, change.revno, change.at.toISOString(), eventType].join('/');
  const hash = createHash('sha1').update(name).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
