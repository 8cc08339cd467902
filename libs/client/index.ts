export type { VigilClient, VigilClientOptions } from './create-client.ts';
export { createVigilClient, dataOf, internalVersion } from './create-client.ts';
export type { DomainReference, KeystoneCredentials } from './credentials.ts';
export { routeOf, subjectOf } from './display/action-text.ts';
export { constraintPhrase, constraintReason, keepsInPlace } from './display/constraints.ts';
export { madeOnce, writtenNumber } from './display/formats.ts';
export {
  gainedShare,
  indicatorText,
  indicatorTitle,
  quantities,
  quantitiesOf,
  shareText,
  withUnits,
} from './display/indicators.ts';
export type { PlanMeasurement } from './display/outcome-effect.ts';
export { effectText } from './display/outcome-effect.ts';
export type { Indicator, Measured, OutcomeRow } from './display/outcome-rows.ts';
export { outcomeRows, planFacts } from './display/outcome-rows.ts';
export { millisOf, relativeTime } from './display/relative-time.ts';
export { phraseOf, wordsOf } from './display/words.ts';
export type {
  Action,
  ActionPlan,
  ActionPlanApproval,
  ActionPlanComment,
  ActionPlanComments,
  ActionPlanDuration,
  ActionPlanOutcome,
  ActionPlanPreview,
  ActionPlanRollback,
  ActionPlanStaleness,
  ActionReason,
  AlertTokenSettings,
  Audit,
  AuditComparison,
  AuditCreate,
  AuditPreview,
  AuditReport,
  AuditSearch,
  AuditTemplate,
  AuditTemplateCreate,
  AuditVariants,
  ClusterPast,
  CollectionEntries,
  CurvePoint,
  Goal,
  HostBeforeAfter,
  HostUse,
  JudgedPromise,
  NotificationDelivery,
  NotificationTarget,
  NotificationTargetChange,
  PatchOperations,
  PeriodReport,
  PlanHost,
  ProposalReason,
  RunReport,
  ScoringEngine,
  Service,
  Strategy,
  WhatIf,
  WhatIfRequest,
} from './entities.ts';
export type { ClientErrorKind } from './errors.ts';
export { VigilApiError } from './errors.ts';
export type { paths } from './generated/schema.ts';
export type { ListOptions } from './list-collection.ts';
export type { Patience } from './patience.ts';
export { untilAnswered } from './patience.ts';
export type { PlanProgress, WaitOptions } from './waiting.ts';
export { waitUntil } from './waiting.ts';
export type {
  Delta,
  RemovedEntity,
  WatchEvent,
  WatchedEntities,
  WatchedKind,
  WatchedPlanProgress,
  WatchOptions,
} from './watching.ts';
