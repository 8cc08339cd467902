export type { MessageBusOptions } from './create-message-bus.ts';
export { createMessageBus } from './create-message-bus.ts';
