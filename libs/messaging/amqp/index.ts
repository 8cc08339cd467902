export { amqpUrlsOf } from './broker-nodes.ts';
export { consumeNotifications } from './consume-notifications.ts';
export { createAmqpBus } from './create-amqp-bus.ts';
export type { NotificationExchange } from './notification-exchange.ts';
export { createNotificationExchange } from './notification-exchange.ts';
export { describeAmqpUrl, probeAmqpNode } from './probe-node.ts';
