import { EntitySchema } from 'typeorm';
import type { PlanHosts } from '#libs/domain';
import { jsonb, reference } from './columns.ts';

/** Hosts before and after one plan. */
export interface PlanHostsRow {
  planId: number;
  doc: PlanHosts;
}

/** Table `plan_hosts`. */
export const planHostSchema = new EntitySchema<PlanHostsRow>({
  name: 'PlanHosts',
  tableName: 'plan_hosts',
  columns: {
    planId: reference('plan_hosts', 'plan_id', 'ActionPlan', {
      primary: true,
      primaryKeyConstraintName: 'pk_plan_hosts',
    }),
    doc: jsonb('doc'),
  },
});
