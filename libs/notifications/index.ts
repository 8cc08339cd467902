export type { Notification, NotificationPriority, NotificationSink } from './notification.ts';
export { notificationLevels } from './notification.ts';
export type { NotifierDeps } from './notifier.ts';
export { startNotifier } from './notifier.ts';
