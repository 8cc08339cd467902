import type { JsonObject } from '#libs/domain';
import type { Notification } from './notification.ts';

/** Topic of Watcher's notifications; queues and routing keys are `<topic>.<priority>`. */
const topic = 'notifications';

/** Priority as it is written in messages. */
const spelled = { debug: 'DEBUG', info: 'INFO', warning: 'WARN', error: 'ERROR', critical: 'CRITICAL' } as const;

/**
 * A notification as oslo.messaging puts it on the wire: envelope 2.0 with the message as text inside.
 * @param publisherId such as `infra-optim:controller-1`
 */
export function encodeNotification(
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
