import { EntitySchema } from 'typeorm';
import type { PlanTotal } from '../retention-contract.ts';
import { bigint, text, uuid } from './columns.ts';

const key = { primary: true, primaryKeyConstraintName: 'pk_plan_totals' };

/** Table `plan_totals`. */
export const planTotalSchema = new EntitySchema<PlanTotal>({
  name: 'PlanTotal',
  tableName: 'plan_totals',
  columns: {
    auditUuid: uuid('audit_uuid', key),
    strategy: text('strategy', key),
    day: { name: 'day', type: 'date', ...key },
    state: text('state', key),
    plans: bigint('plans'),
    actions: bigint('actions'),
    succeededActions: bigint('succeeded_actions'),
    failedActions: bigint('failed_actions'),
  },
  indices: [{ name: 'ix_plan_totals_day', columns: ['day'] }],
});
