import type { components } from './generated/schema.ts';

type Schemas = components['schemas'];

export type Goal = Schemas['Goal'];
export type Strategy = Schemas['Strategy'];
export type AuditTemplate = Schemas['AuditTemplate'];
export type AuditTemplateCreate = Schemas['AuditTemplateCreate'];
export type Audit = Schemas['Audit'];
export type AuditCreate = Schemas['AuditCreate'];
export type AuditReport = Schemas['AuditReport'];
export type ActionPlan = Schemas['ActionPlan'];
export type ActionPlanOutcome = Schemas['ActionPlanOutcome'];
export type Action = Schemas['Action'];
export type ActionReason = Schemas['ActionReason'];
export type ScoringEngine = Schemas['ScoringEngine'];
export type Service = Schemas['Service'];
export type PatchOperations = Schemas['Patch'];

/** Collections by path segment, with what a detailed list has. */
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
