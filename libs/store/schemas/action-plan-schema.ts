import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { type ActionPlan, controlsOf, type EfficacyIndicator, type PlanControls, planControls } from '#libs/domain';
import {
  baseColumns,
  flag,
  indexOn,
  integer,
  jsonb,
  leaseColumns,
  reference,
  text,
  time,
  uniqueUuid,
  uuid,
} from './columns.ts';

/** Columns of the controls of a plan, by their type. */
const controlColumn = {
  policy: (name: string) => text(name, { default: 'continue' }),
  flag,
  time: (name: string) => time(name, { nullable: true }),
  cron: (name: string) => text(name, { nullable: true }),
  zone: (name: string) => text(name, { nullable: true }),
  whole: (name: string) => integer(name, { nullable: true }),
} as const;

function controlColumns() {
  const columns = controlsOf(planControls).map(({ key, type, name }) => [key, controlColumn[type](name)]);
  return Object.fromEntries(columns) as Record<keyof PlanControls, EntitySchemaColumnOptions>;
}

/** Table `action_plans`. */
export const actionPlanSchema = new EntitySchema<ActionPlan>({
  name: 'ActionPlan',
  tableName: 'action_plans',
  columns: {
    ...baseColumns('action_plans'),
    ...leaseColumns(),
    ...controlColumns(),
    auditId: reference('action_plans', 'audit_id', 'Audit'),
    strategyId: reference('action_plans', 'strategy_id', 'Strategy'),
    state: text('state', { default: 'RECOMMENDED' }),
    globalEfficacy: jsonb('global_efficacy', { default: [] }),
    statusMessage: text('status_message', { nullable: true }),
    rollbackState: text('rollback_state', { nullable: true }),
    rollbackMessage: text('rollback_message', { nullable: true }),
    launchSeq: integer('launch_seq', { default: 0 }),
    rollsBack: uuid('rolls_back', { nullable: true }),
    outcome: jsonb('outcome', { nullable: true }),
    byOrder: flag('by_order'),
    traceparent: text('traceparent', { nullable: true }),
    alertScope: jsonb('alert_scope', { nullable: true }),
    requester: jsonb('requester', { nullable: true }),
    approval: text('approval', { nullable: true }),
    approvalReason: text('approval_reason', { nullable: true }),
    approvalBy: jsonb('approval_by', { nullable: true }),
    approvalAt: time('approval_at', { nullable: true }),
    approvalComment: text('approval_comment', { nullable: true }),
    approvalVoid: text('approval_void', { nullable: true }),
    startsWhenApproved: flag('starts_when_approved'),
  },
  indices: [
    uniqueUuid('action_plans'),
    indexOn('action_plans', 'audit_id', 'auditId'),
    indexOn('action_plans', 'strategy_id', 'strategyId'),
    indexOn('action_plans', 'rolls_back', 'rollsBack'),
    {
      name: 'uq_action_plans_open_rollback',
      columns: ['rollsBack'],
      unique: true,
      where: `deleted = 0 AND state IN ('RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED')`,
    },
    {
      name: 'ix_action_plans_open',
      columns: ['state'],
      where: `deleted = 0 AND state IN ('PENDING', 'ONGOING', 'CANCELLING')`,
    },
    {
      name: 'ix_action_plans_approval',
      columns: ['approval'],
      where: `deleted = 0 AND state = 'RECOMMENDED' AND approval IS NOT NULL`,
    },
  ],
});

/** Table `efficacy_indicators`. */
export const efficacyIndicatorSchema = new EntitySchema<EfficacyIndicator>({
  name: 'EfficacyIndicator',
  tableName: 'efficacy_indicators',
  columns: {
    ...baseColumns('efficacy_indicators'),
    name: text('name'),
    description: text('description', { nullable: true }),
    unit: text('unit', { nullable: true }),
    value: { name: 'value', type: 'double precision' },
    actionPlanId: reference('efficacy_indicators', 'action_plan_id', 'ActionPlan'),
  },
  indices: [uniqueUuid('efficacy_indicators'), indexOn('efficacy_indicators', 'action_plan_id', 'actionPlanId')],
});
