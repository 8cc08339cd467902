import type { components } from './generated/schema.ts';

type Schemas = components['schemas'];

/** Goals that audits can aim at. */
export type Goal = Schemas['Goal'];
/** A way to reach a goal. */
export type Strategy = Schemas['Strategy'];
/** Templates that audits can be made from. */
export type AuditTemplate = Schemas['AuditTemplate'];
/** Body that creates an audit template. */
export type AuditTemplateCreate = Schemas['AuditTemplateCreate'];
/** A request for a plan. */
export type Audit = Schemas['Audit'];
/** Body that creates an audit. */
export type AuditCreate = Schemas['AuditCreate'];
/** Circumstances of the last run of an audit: considered, blocked and measured. */
export type AuditReport = Schemas['AuditReport'];
/** Gain of a plan of a size, on the curve of an audit. */
export type CurvePoint = Schemas['CurvePoint'];
/** The curve of an audit, with the plans that were made of its points. */
export type AuditVariants = Schemas['AuditVariants'];
/** Settings of the token with which Alertmanager runs an EVENT audit. */
export type AlertTokenSettings = Schemas['AlertTokenSettings'];
/** Receiver of notifications over HTTP, without its secrets. */
export type NotificationTarget = Schemas['NotificationTarget'];
/** Fields of a receiver that change. */
export type NotificationTargetChange = Schemas['NotificationTargetChange'];
/** Delivery of one event to one receiver. */
export type NotificationDelivery = Schemas['NotificationDelivery'];
/** Findings so far of the search of a running audit. */
export type AuditSearch = Schemas['AuditSearch'];
/** Plan that an audit recommends. */
export type ActionPlan = Schemas['ActionPlan'];
/** Failure policy, rollback and measured efficacy of a plan. */
export type ActionPlanOutcome = Schemas['ActionPlanOutcome'];
/** Expected duration of a plan and of the rest of it. */
export type ActionPlanDuration = Schemas['ActionPlanDuration'];
/** Approval of a plan by a second person. */
export type ActionPlanApproval = Schemas['ActionPlanApproval'];
/** Comments of users on a plan, newest last. */
export type ActionPlanComments = Schemas['ActionPlanComments'];
/** A comment of a user on a plan. */
export type ActionPlanComment = Schemas['ActionPlanComment'];
/** Changes of the cloud since a plan was made, and its gain now. */
export type ActionPlanStaleness = Schemas['ActionPlanStaleness'];
/** Order, duration, rollback and hosts of a plan before it is started. */
export type ActionPlanPreview = Schemas['ActionPlanPreview'];
/** How an ended plan can be undone, and how far that is. */
export type ActionPlanRollback = Schemas['ActionPlanRollback'];
/** Plan that an audit would propose. Nothing of it is stored. */
export type AuditPreview = Schemas['AuditPreview'];
/** Plans that several strategies would propose, on the same model of the cloud. */
export type AuditComparison = Schemas['AuditComparison'];
/** A host before and after the proposals of a dry run. */
export type HostBeforeAfter = Schemas['HostBeforeAfter'];
/** A promised range of a plan, and whether it was kept. */
export type JudgedPromise = Schemas['JudgedPromise'];
/** A host before and after a plan, so far and today. */
export type PlanHost = Schemas['PlanHost'];
/** Allocations of a host. */
export type HostUse = Schemas['HostUse'];
/** Input that a run of a strategy checked. */
export type RunReport = Schemas['RunReport'];
/** Why a strategy proposes an action. */
export type ProposalReason = Schemas['ProposalReason'];
/** A step of a plan. */
export type Action = Schemas['Action'];
/** Why an action is proposed. */
export type ActionReason = Schemas['ActionReason'];
/** Results of a period. */
export type PeriodReport = Schemas['PeriodReport'];
/** Hosts and loads at a past time, and now. */
export type ClusterPast = Schemas['ClusterPast'];
/** A what-if question, and the effects of its change. */
export type WhatIfRequest = Schemas['WhatIfRequest'];
export type WhatIf = Schemas['WhatIf'];
/** A scoring engine of the deployment. */
export type ScoringEngine = Schemas['ScoringEngine'];
/** A process of the deployment. */
export type Service = Schemas['Service'];
/** Body of a PATCH. */
export type PatchOperations = Schemas['Patch'];

/** Collections by path segment, with the fields of a detailed list. */
export interface CollectionEntries {
  goals: Goal;
  strategies: Strategy;
  audit_templates: AuditTemplate;
  audits: Audit;
  action_plans: ActionPlan;
  actions: Action;
  scoring_engines: ScoringEngine;
  services: Service;
}
