export { amqpUrlsOf } from './cluster-nodes.ts';
export type { NotificationSourceOptions } from './consume-notifications.ts';
export { consumeNotifications } from './consume-notifications.ts';
export type { AmqpBusOptions } from './create-amqp-bus.ts';
export { createAmqpBus } from './create-amqp-bus.ts';
export type { NotificationExchange, NotificationExchangeOptions } from './notification-exchange.ts';
export { createNotificationExchange } from './notification-exchange.ts';
export { describeAmqpUrl, probeAmqpNode } from './probe-node.ts';
