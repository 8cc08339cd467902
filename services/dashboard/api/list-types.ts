import type { components } from './generated/internal-schema.ts';

type Schemas = components['schemas'];

/** A plan of `/internal/lists/action-plans`. */
export type PlanRow = Schemas['PlanRow'];

/** Gain and cost of a plan. */
export type PlanHeadlineData = Schemas['PlanHeadline'];

/** `/internal/lists/action-plans`. */
export type PlanRowList = Schemas['PlanRowList'];

/** `/internal/lists/action-plans/{plan}`. */
export type PlanRowDetail = Schemas['PlanRowDetail'];

/** An audit of `/internal/lists/audits`. */
export type AuditRow = Schemas['AuditRow'];

/** `/internal/lists/audits`. */
export type AuditRowList = Schemas['AuditRowList'];
