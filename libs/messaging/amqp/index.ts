export type { AmqpBusOptions } from './create-amqp-bus.ts';
export { createAmqpBus } from './create-amqp-bus.ts';
