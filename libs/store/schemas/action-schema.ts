import { EntitySchema } from 'typeorm';
import type { Action } from '#libs/domain';
import { baseColumns, indexOn, jsonb, reference, text, time, uniqueUuid } from './columns.ts';

/** Table `actions`. */
export const actionSchema = new EntitySchema<Action>({
  name: 'Action',
  tableName: 'actions',
  columns: {
    ...baseColumns('actions'),
    actionPlanId: reference('actions', 'action_plan_id', 'ActionPlan'),
    actionType: text('action_type'),
    inputParameters: jsonb('input_parameters'),
    state: text('state', { default: 'PENDING' }),
    parents: jsonb('parents', { default: [] }),
    statusMessage: text('status_message', { nullable: true }),
    reason: jsonb('reason', { nullable: true }),
    rollbackState: text('rollback_state', { nullable: true }),
    rollbackMessage: text('rollback_message', { nullable: true }),
    startedAt: time('started_at', { nullable: true }),
    endedAt: time('ended_at', { nullable: true }),
    endReason: text('end_reason', { nullable: true }),
    refusal: text('refusal', { nullable: true }),
  },
  indices: [
    uniqueUuid('actions'),
    indexOn('actions', 'action_plan_id', 'actionPlanId'),
    { name: 'ix_actions_ended_at', columns: ['endedAt'] },
    {
      name: 'ix_actions_type_ended_at',
      columns: ['actionType', 'endedAt'],
      where: `state = 'SUCCEEDED' AND deleted = 0`,
    },
    // A GIN index, which TypeORM cannot make.
    { name: 'ix_actions_input_parameters', columns: ['inputParameters'], synchronize: false },
  ],
});
