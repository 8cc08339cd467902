import { EntitySchema } from 'typeorm';
import type { AuditVariants, PlanObjective } from '#libs/domain';
import { jsonb, reference } from './columns.ts';

/** Plans of other sizes of one audit. */
export interface AuditVariantsRow {
  auditId: number;
  doc: AuditVariants;
}

/** Table `audit_variants`. */
export const auditVariantsSchema = new EntitySchema<AuditVariantsRow>({
  name: 'AuditVariants',
  tableName: 'audit_variants',
  columns: {
    auditId: reference('audit_variants', 'audit_id', 'Audit', {
      primary: true,
      primaryKeyConstraintName: 'pk_audit_variants',
    }),
    doc: jsonb('doc'),
  },
});

/** What one plan was to achieve. */
export interface PlanObjectiveRow {
  planId: number;
  doc: PlanObjective;
}

/** Table `plan_objectives`. */
export const planObjectiveSchema = new EntitySchema<PlanObjectiveRow>({
  name: 'PlanObjective',
  tableName: 'plan_objectives',
  columns: {
    planId: reference('plan_objectives', 'plan_id', 'ActionPlan', {
      primary: true,
      primaryKeyConstraintName: 'pk_plan_objectives',
    }),
    doc: jsonb('doc'),
  },
});
