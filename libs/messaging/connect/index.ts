export { createMessageBus } from './create-message-bus.ts';
export { openBus } from './open-bus.ts';
