import { EntitySchema } from 'typeorm';
import type { ActionPlan } from '#libs/domain';
import { baseColumns, integer, jsonb, leaseColumns, reference, text } from './columns.ts';
import { indexOn, uniqueUuid } from './indices.ts';

/** Table `action_plans`. */
export const actionPlanSchema = new EntitySchema<ActionPlan>({
  name: 'ActionPlan',
  tableName: 'action_plans',
  columns: {
    ...baseColumns('action_plans'),
    ...leaseColumns(),
    auditId: reference('action_plans', 'audit_id', 'Audit'),
    strategyId: reference('action_plans', 'strategy_id', 'Strategy'),
    state: text('state', { default: 'RECOMMENDED' }),
    globalEfficacy: jsonb('global_efficacy', { default: [] }),
    statusMessage: text('status_message', { nullable: true }),
    onFailure: text('on_failure', { default: 'continue' }),
    rollbackState: text('rollback_state', { nullable: true }),
    rollbackMessage: text('rollback_message', { nullable: true }),
    launchSeq: integer('launch_seq', { default: 0 }),
    outcome: jsonb('outcome', { nullable: true }),
  },
  indices: [
    uniqueUuid('action_plans'),
    indexOn('action_plans', 'audit_id', 'auditId'),
    indexOn('action_plans', 'strategy_id', 'strategyId'),
    {
      name: 'ix_action_plans_open',
      columns: ['state'],
      where: `deleted = 0 AND state IN ('PENDING', 'ONGOING', 'CANCELLING')`,
    },
  ],
});
