export { describeMessageBusContract } from './describe-message-bus-contract.ts';
export type { CreateHarness } from './harness.ts';
export { ack, collectTasks, numberOf, publishAll, task, taskDefinition, until } from './harness.ts';
