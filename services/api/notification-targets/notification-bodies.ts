import { notificationText } from '#libs/notification-targets';
import type { NotificationDelivery, NotificationTarget } from '#libs/store';

/** The body of a target, which has no secret. */
export function targetBody(target: NotificationTarget) {
  return {
    uuid: target.uuid,
    name: target.name,
    source: target.source,
    url: target.shownUrl,
    format: target.format,
    kinds: target.kinds,
    enabled: target.enabled,
    pending: target.pending,
    dead: target.dead,
    created_at: target.createdAt.toISOString(),
    updated_at: isoOf(target.updatedAt),
    rotated_at: isoOf(target.rotatedAt),
    delivered_at: isoOf(target.deliveredAt),
  };
}

/** The body of a delivery. */
export function deliveryBody(delivery: NotificationDelivery) {
  return {
    uuid: delivery.uuid,
    target_uuid: delivery.targetUuid,
    target_name: delivery.targetName,
    event_uuid: delivery.eventUuid,
    kind: delivery.kind,
    subject: delivery.subject,
    text: notificationText(delivery),
    data: delivery.data,
    state: delivery.state,
    attempts: delivery.attempts,
    status_code: delivery.statusCode,
    reason: delivery.reason,
    occurred_at: delivery.eventAt.toISOString(),
    next_attempt_at: delivery.state === 'PENDING' ? delivery.nextAttemptAt.toISOString() : null,
    ended_at: isoOf(delivery.endedAt),
    resent_by: delivery.resentBy,
    resent_at: isoOf(delivery.resentAt),
  };
}

function isoOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
