import type { Clock, IdSource, JsonObject, Logger } from '#libs/domain';
import { type Periodic, startPeriodic } from '#libs/service-kit';
import type { ChangeRow, Store } from '#libs/store';
import { isLoudEnough, type Notification, type NotificationPriority, type NotificationSink } from './notification.ts';
import { auditEventsOf, notificationsOf } from './notifications-of.ts';
import { readAuditLog, readRelated } from './read-related.ts';
import { createServiceWatch } from './service-watch.ts';

/** Topic of Watcher's notifications. Queues and routing keys are `<topic>.<priority>`. */
const topic = 'notifications';

/** Priority as written in messages. */
const spelled = { debug: 'DEBUG', info: 'INFO', warning: 'WARN', error: 'ERROR', critical: 'CRITICAL' } as const;

/** Name under which the position in the change log, and the lease, are kept. */
const reader = 'notifications';
const leaseTtlMs = 15_000;
const batchSize = 200;
/** Checks the status of services, in milliseconds. */
const serviceCheckMs = 15_000;

/** Collaborators of the notifier. */
export interface NotifierDeps {
  store: Store;
  sink: NotificationSink;
  /** Least priority of Watcher's notifications. `none` for none of them. */
  level: NotificationPriority | 'none';
  /** Whether the audit log is also published as CADF events, at any level. Default false. */
  auditLog?: boolean;
  /** Such as `infra-optim:controller-1`. */
  publisherId: string;
  /** Registry id of this process. Of several notifiers one works at a time. */
  instance: string;
  clock: Clock;
  newUuid: IdSource;
  logger: Logger;
  /** Pause between two reads of the change log, in milliseconds. Default 500. */
  everyMs?: number;
}

/**
 * Sends Watcher's versioned notifications, and CADF events, of the change log in its order, from the place of the last
 * notifier. The log is written in the transaction of each change, so none is lost. Delivery is at least once, with the
 * same `message_id`. The first notifier of an installation starts with the current end of the log.
 */
export function startNotifier(deps: NotifierDeps): Periodic {
  const { store, sink, level, logger, clock } = deps;
  const services = createServiceWatch(deps.newUuid);
  let servicesSeenAt = 0;
  let trouble: string | null = null;

  async function send(notification: Notification): Promise<boolean> {
    const result = await sink.send(encodeNotification(notification, deps.publisherId));
    const reason = result === true ? null : result;
    if (reason !== null && trouble === null) logger.warn({ reason }, 'cannot send notifications');
    if (reason === null && trouble !== null) logger.info({}, 'sending of notifications resumed');
    trouble = reason;
    return reason === null;
  }

  /** Sends in order, all at once. Returns the last change up to which everything was taken, null when nothing was. */
  async function sendChanges(changes: readonly ChangeRow[]): Promise<ChangeRow | null> {
    const rows = await readRelated(store, level === 'none' ? [] : changes);
    const entries = await readAuditLog(store, deps.auditLog ? changes : []);
    const taken = await Promise.all(
      changes.map(async (change) => {
        const own = [...loudOnes(notificationsOf(change, rows)), ...auditEventsOf(change, entries)];
        const results = await Promise.all(own.map(send));
        return results.every(Boolean);
      }),
    );
    const failed = taken.indexOf(false);
    return changes[(failed < 0 ? changes.length : failed) - 1] ?? null;
  }

  async function start(): Promise<{ epoch: number; revno: number }> {
    const { epoch, newest, oldest } = await store.changes.bounds();
    const kept = await store.changes.position(reader);
    if (kept?.epoch === epoch) {
      if (kept.revno < oldest - 1) logger.warn({ from: kept.revno, to: oldest - 1 }, 'changes were pruned unsent');
      return { epoch, revno: Math.max(kept.revno, oldest - 1) };
    }
    await store.changes.advance(reader, { epoch, revno: newest });
    return { epoch, revno: newest };
  }

  async function run(signal: AbortSignal): Promise<void> {
    for (let isMore = true; isMore && !signal.aborted; ) {
      if ((await store.db.leases.acquire(`leader:${reader}`, deps.instance, leaseTtlMs)) === null) return;
      const changes = await store.changes.read(await start(), batchSize);
      const sent = changes.length > 0 ? await sendChanges(changes) : null;
      if (sent) await store.changes.advance(reader, { epoch: sent.epoch, revno: sent.revno });
      isMore = changes.length === batchSize && sent !== null;
    }
    await reportServices();
  }

  async function reportServices(): Promise<void> {
    if (clock.now() - servicesSeenAt < serviceCheckMs) return;
    servicesSeenAt = clock.now();
    for (const one of services.check(await store.db.services.list(), new Date(clock.now()))) {
      if (isLoudEnough(one.priority, level)) await send(one);
    }
  }

  function loudOnes(notifications: readonly Notification[]): Notification[] {
    return notifications.filter(({ priority }) => isLoudEnough(priority, level));
  }

  return startPeriodic({ name: 'notifier', everyMs: deps.everyMs ?? 500, run, logger });
}

/**
 * A notification as oslo.messaging puts it on the wire: envelope 2.0 with the message as text inside.
 * @param publisherId such as `infra-optim:controller-1`
 */
function encodeNotification(
  notification: Notification,
  publisherId: string,
): { messageId: string; routingKey: string; content: Buffer } {
  const message: JsonObject = {
    message_id: notification.messageId,
    publisher_id: publisherId,
    event_type: notification.eventType,
    priority: spelled[notification.priority],
    payload: notification.payload,
    timestamp: timestampOf(notification.at),
    _context_request_id: null,
    _context_user_id: null,
    _context_project_id: null,
    _unique_id: notification.messageId.replaceAll('-', ''),
  };
  const envelope = { 'oslo.version': '2.0', 'oslo.message': JSON.stringify(message) };
  return {
    messageId: notification.messageId,
    routingKey: `${topic}.${notification.priority === 'warning' ? 'warn' : notification.priority}`,
    content: Buffer.from(JSON.stringify(envelope)),
  };
}

/** UTC with microseconds, as Python prints it. */
function timestampOf(at: Date): string {
  return at.toISOString().replace('T', ' ').replace('Z', '000');
}
