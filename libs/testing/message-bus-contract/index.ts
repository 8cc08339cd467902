export { describeMessageBusContract } from './describe-message-bus-contract.ts';
export type { BusHarness, CreateHarness } from './harness.ts';
export { ack, publishAll, task, taskDefinition, until } from './harness.ts';
