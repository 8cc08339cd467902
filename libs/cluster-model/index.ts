export type {
  AggregateInfo,
  ComputeSnapshot,
  GroupInfo,
  HostColumns,
  HostInfo,
  InstanceColumns,
  InstanceInfo,
  InstanceStateName,
} from './compute-snapshot.ts';
export { hostFlag, instanceFlag, instanceStates } from './compute-snapshot.ts';
export type { ConstraintName, WhatIf } from './what-if.ts';
export { constraintNames } from './what-if.ts';
