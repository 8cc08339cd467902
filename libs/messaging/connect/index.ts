export type { MessageBusOptions } from './create-message-bus.ts';
export { createMessageBus } from './create-message-bus.ts';
export type { OpenBusOptions } from './open-bus.ts';
export { openBus } from './open-bus.ts';
