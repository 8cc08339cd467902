export {
  actionFacts,
  copyingActionTypes,
  evacuatingActionTypes,
  migratingActionTypes,
  movingActionTypes,
  powerActionTypes,
  removingActionTypes,
  resizingActionTypes,
  serviceActionTypes,
  volumeActionTypes,
} from './action-facts.ts';
export type { AlertElement, AlertLabels, AlertScope, AlertSelection } from './alert-scope.ts';
export { alertElements, alertScopeOf } from './alert-scope.ts';
export type { ApprovalRule, PlanSize } from './approval-rules.ts';
export { approvalReasons, approvalRulesSchema, parseApprovalRules } from './approval-rules.ts';
export type { AutomationFacts, AutomationLevel, AutomationRules } from './automation-levels.ts';
export {
  automationLevelOf,
  automationLevels,
  automationRefusals,
  automationRuleBody,
  automationRulesSchema,
  defaultAutomationRules,
  parseAutomationRules,
} from './automation-levels.ts';
export { doublingPause } from './doubling-pause.ts';
export type {
  Action,
  ActionAttemptJournal,
  ActionDescription,
  ActionEndReason,
  ActionPlan,
  Audit,
  AuditScope,
  AuditTemplate,
  AuditType,
  EfficacyIndicator,
  EntityBase,
  GlobalEfficacy,
  Goal,
  IndicatorSpecification,
  JsonObject,
  JsonValue,
  KnownUser,
  Revertibility,
  RollbackState,
  ScoringEngine,
  Service,
  Strategy,
} from './entities.ts';
export { auditTypes, revertibilities, rollbackStates } from './entities.ts';
export type { ErrorCategory } from './errors.ts';
export {
  AlreadyExistsError,
  ConfigurationError,
  InvalidInputError,
  LeaseLostError,
  messageOf,
  NotFoundError,
  OperatorError,
  StateConflictError,
  VigilError,
} from './errors.ts';
export type {
  ActionReason,
  AuditReport,
  BeforeAfter,
  BlockedCount,
  CurvePoint,
  ImpossibleValues,
  LateValues,
  MetricUse,
  ObjectiveTerm,
  RejectedAlternative,
  SearchEnd,
  SearchStatus,
} from './explanations.ts';
export { forcedDownText } from './forced-down-text.ts';
export { freedHosts } from './freed-hosts.ts';
export type { MetricAggregate, MetricName, MetricResourceType } from './metrics.ts';
export { metricAggregates, metricCatalogue, mirroredAggregate, percentileShare, servedPart } from './metrics.ts';
export type { NotificationFormat, NotificationKind } from './notification-kinds.ts';
export { chosenKinds, notificationFormats, notificationKinds } from './notification-kinds.ts';
export type { HostSelector, InstanceSelector, PlacementRule, PlacementRuleKind } from './placement-rules.ts';
export { placementRuleKinds } from './placement-rules.ts';
export {
  controlsOf,
  type OnFailure,
  onFailurePolicies,
  type PlanControls,
  planControls,
  startControls,
} from './plan-controls.ts';
export type {
  HostBeforeAfter,
  HostResources,
  HostUse,
  PlanHosts,
  QuantityChange,
  ReserveChange,
} from './plan-hosts.ts';
export { hostQuantities } from './plan-hosts.ts';
export type { OutcomeMeasurement } from './plan-measurement.ts';
export { measurementStates } from './plan-measurement.ts';
export type { JudgedPromise, PromisedQuantity, PromiseVerdict } from './plan-promises.ts';
export { currentValues, judgePromises, promisedQuantities, promisesOf, promiseVerdicts } from './plan-promises.ts';
export type { PlanGain, PlanStaleness, RepeatedMoves } from './plan-staleness.ts';
export { isStale, stalenessText } from './plan-staleness.ts';
export type { AuditVariants, PlanObjective, WantedMove } from './plan-variants.ts';
export { hostShare, isImprovement, isSideEffect, quantityChanges } from './quantity-changes.ts';
export type { RefusalReason } from './refusals.ts';
export { refusalFacts } from './refusals.ts';
export type { Clock, IdSource, Logger, RandomSource } from './runtime.ts';
export { createRandom } from './runtime.ts';
export type { SchemaReference, SchemaValue } from './schema-value.ts';
export { computeRules, objectsOf, scopesMayOverlap } from './scope-rules.ts';
export type { MoveWay, ServerCondition } from './server-moves.ts';
export { hasGuest, moveRefusal, moveRules, usualWay } from './server-moves.ts';
export { silentLogger } from './silent-logger.ts';
export { sortedJson } from './sorted-json.ts';
export type { ActionPlanEvent, ActionPlanState } from './states/action-plan-states.ts';
export { actionPlanStates, actionPlanStateTable } from './states/action-plan-states.ts';
export type { ActionEvent, ActionState } from './states/action-states.ts';
export { actionStates, actionStateTable } from './states/action-states.ts';
export type { ApprovalEvent, ApprovalState } from './states/approval-states.ts';
export { approvalStates, approvalStateTable } from './states/approval-states.ts';
export type { AuditEvent, AuditState } from './states/audit-states.ts';
export { auditStates, auditStateTable } from './states/audit-states.ts';
export type { NotificationDeliveryEvent, NotificationDeliveryState } from './states/notification-delivery-states.ts';
export { notificationDeliveryStates, notificationDeliveryStateTable } from './states/notification-delivery-states.ts';
export type { ServiceInstanceEvent, ServiceInstanceState } from './states/service-instance-states.ts';
export { serviceInstanceStateTable } from './states/service-instance-states.ts';
export type { ServiceRequestEvent, ServiceRequestState } from './states/service-request-states.ts';
export { serviceRequestStates, serviceRequestStateTable } from './states/service-request-states.ts';
export type { Move, StateTable } from './states/state-table.ts';
export { canApply, isTerminal, moveOf } from './states/state-table.ts';
export type { TaskEvent, TaskState } from './states/task-states.ts';
export { taskStates, taskStateTable } from './states/task-states.ts';
export type { OppositeAuditsMode, StrategyAim } from './strategy-aim.ts';
export { aimOf, mergesAims, oppositeAim, oppositeAuditsModes, packAndSpread } from './strategy-aim.ts';
export { counted, nearestHint, nearestName, nearestQuestion, printable, withoutPasswords } from './text.ts';
export type { WhatIfLoss } from './what-if-limits.ts';
export { whatIfLimits, whatIfLosses, whatIfQuestions, whatIfRatios, whatIfVerdicts } from './what-if-limits.ts';
