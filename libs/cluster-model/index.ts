export { allocateHostColumns, allocateInstanceColumns } from './columns.ts';
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
export { createWhatIf } from './create-what-if.ts';
export type { ScopeReport } from './scope.ts';
export { applyScope } from './scope.ts';
export type { ComputeModelInput } from './snapshot-builder.ts';
export { buildComputeSnapshot } from './snapshot-builder.ts';
export type { ConstraintName, WhatIf } from './what-if.ts';
export { constraintNames } from './what-if.ts';
