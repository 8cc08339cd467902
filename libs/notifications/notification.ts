import type { JsonObject } from '#libs/domain';

/** From the least to the most important. `notification_level` of Watcher is one of them. */
export const notificationLevels = ['debug', 'info', 'warning', 'error', 'critical'] as const;
export type NotificationPriority = (typeof notificationLevels)[number];

/** One of Watcher's versioned notifications. */
export interface Notification {
  /** The same however often it is sent. */
  messageId: string;
  /** `<object>.<action>` or `<object>.<action>.<phase>`. */
  eventType: string;
  priority: NotificationPriority;
  payload: JsonObject;
  at: Date;
}

/** Where notifications go to. */
export interface NotificationSink {
  /** Resolves with true when the broker has taken it, otherwise with the reason. */
  send(message: { messageId: string; routingKey: string; content: Buffer }): Promise<true | string>;
}

/** Whether a notification of this priority is sent at this level. */
export function isLoudEnough(priority: NotificationPriority, level: NotificationPriority | 'none'): boolean {
  return level !== 'none' && notificationLevels.indexOf(priority) >= notificationLevels.indexOf(level);
}
