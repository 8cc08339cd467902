export type { AlertLimitReport } from './alert-limit.ts';
export { limitToAlerts } from './alert-limit.ts';
export type { BaremetalScopeReport } from './baremetal/baremetal-scope.ts';
export { applyBaremetalScope } from './baremetal/baremetal-scope.ts';
export type {
  BaremetalModelInput,
  BaremetalNodeInfo,
  BaremetalSnapshot,
} from './baremetal/baremetal-snapshot.ts';
export { buildBaremetalSnapshot } from './baremetal/baremetal-snapshot.ts';
export { capabilityDemands } from './capabilities.ts';
export { allocateHostColumns, allocateInstanceColumns } from './columns.ts';
export type {
  AggregateInfo,
  ComputeSnapshot,
  GroupInfo,
  HostColumns,
  HostInfo,
  HypervisorInfo,
  InstanceColumns,
  InstanceInfo,
  InstanceStateName,
  PortNeed,
  SchedulerHints,
} from './compute-snapshot.ts';
export { hostFlag, instanceFlag, instanceStates, isRunning } from './compute-snapshot.ts';
export { coolDown, holdBack, withoutLoads } from './cool-down.ts';
export { createWhatIf } from './create-what-if.ts';
export { toDataModelList } from './data-model-list.ts';
export { needsOf, totalCpus } from './dedicated-cpus.ts';
export { applyCinderEvent, readCinderEvent } from './events/apply-cinder-event.ts';
export type { EventResult } from './events/apply-nova-event.ts';
export { applyNovaEvent, busyInstances } from './events/apply-nova-event.ts';
export type { NeutronEvent, ReportedPort } from './events/neutron-event.ts';
export { applyPortNeeds, completePort, readNeutronEvent } from './events/neutron-event.ts';
export { readNovaEvent } from './events/nova-event.ts';
export { heededHints } from './hints/heeded-hints.ts';
export { createHintLinks } from './hints/hint-links.ts';
export { hostFingerprints } from './host-fingerprints.ts';
export { cpuNeed, needsTraits } from './instance-demands.ts';
export { conditionOf } from './move-ways.ts';
export type { MovesTogether } from './moves-together.ts';
export { createMovesTogether } from './moves-together.ts';
export type { NovaFilter } from './nova-filters.ts';
export { novaFilters } from './nova-filters.ts';
export type { OrderedSets } from './ordered-sets.ts';
export { createOrderedSets } from './ordered-sets.ts';
export type { PlacementRequest } from './placement-request.ts';
export { allowQueried, placementRequest } from './placement-request.ts';
export type { BrokenRule } from './placement-rules/broken-rules.ts';
export { brokenRules, misplacedBy } from './placement-rules/broken-rules.ts';
export type { InstanceTest, RuledInstance } from './placement-rules/instance-test.ts';
export { licensedTest } from './placement-rules/instance-test.ts';
export type { RuledMove } from './placement-rules/judge-move.ts';
export { judgeMove, mayRefuse } from './placement-rules/judge-move.ts';
export { ruleEffects, rulesAbout } from './placement-rules/rule-effects.ts';
export type { RuledHost, RuleText } from './placement-rules/with-rules.ts';
export { withRules } from './placement-rules/with-rules.ts';
export { portNeeds } from './port-needs.ts';
export type { RefusedDestination } from './refused-destinations.ts';
export { hasDestination, refuseDestinations } from './refused-destinations.ts';
export type { ScopeReport } from './scope.ts';
export { applyScope, hostsInBoth } from './scope.ts';
export type { ComputeModelInput } from './snapshot-builder.ts';
export { buildComputeSnapshot } from './snapshot-builder.ts';
export { createStorageWhatIf } from './storage/create-storage-what-if.ts';
export type { StorageModelInput } from './storage/storage-builder.ts';
export { buildStorageSnapshot } from './storage/storage-builder.ts';
export type { StorageScopeReport } from './storage/storage-scope.ts';
export { applyStorageScope } from './storage/storage-scope.ts';
export type {
  StoragePoolInfo,
  StorageSnapshot,
  StorageTypeInfo,
  StorageVolumeInfo,
} from './storage/storage-snapshot.ts';
export { isStorageAtRest } from './storage/storage-snapshot.ts';
export type { StorageWhatIf } from './storage/storage-what-if.ts';
export { storageConstraintNames } from './storage/storage-what-if.ts';
export type { ConstraintName, WhatIf } from './what-if.ts';
export { constraintNames } from './what-if.ts';
