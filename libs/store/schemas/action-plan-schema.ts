import { EntitySchema } from 'typeorm';
import type { ActionPlan, EfficacyIndicator } from '#libs/domain';
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
    rollsBack: uuid('rolls_back', { nullable: true }),
    outcome: jsonb('outcome', { nullable: true }),
    paused: flag('paused'),
    abortRunning: flag('abort_running'),
    forceStale: flag('force_stale'),
    holdUntil: time('hold_until', { nullable: true }),
    windowStart: time('window_start', { nullable: true }),
    windowEnd: time('window_end', { nullable: true }),
    windowCron: text('window_cron', { nullable: true }),
    windowSeconds: integer('window_seconds', { nullable: true }),
    maxWorkers: integer('max_workers', { nullable: true }),
    maxMigrations: integer('max_migrations', { nullable: true }),
    byOrder: flag('by_order'),
    traceparent: text('traceparent', { nullable: true }),
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
