import { EntitySchema } from 'typeorm';
import type { Audit } from '#libs/domain';
import {
  baseColumns,
  flag,
  indexOn,
  integer,
  json,
  jsonb,
  leaseColumns,
  reference,
  text,
  time,
  uniqueLiveName,
  uniqueUuid,
} from './columns.ts';

/** Table `audits`. */
export const auditSchema = new EntitySchema<Audit>({
  name: 'Audit',
  tableName: 'audits',
  columns: {
    ...baseColumns('audits'),
    ...leaseColumns(),
    name: text('name'),
    auditType: text('audit_type'),
    state: text('state', { default: 'PENDING' }),
    parameters: json('parameters', { default: {} }),
    interval: text('interval', { nullable: true }),
    goalId: reference('audits', 'goal_id', 'Goal'),
    strategyId: reference('audits', 'strategy_id', 'Strategy', { nullable: true }),
    scope: jsonb('scope', { default: [] }),
    autoTrigger: flag('auto_trigger'),
    autoTriggerUser: jsonb('auto_trigger_user', { nullable: true }),
    autoTriggerRefused: flag('auto_trigger_refused'),
    nextRunTime: time('next_run_time', { nullable: true }),
    startTime: time('start_time', { nullable: true }),
    endTime: time('end_time', { nullable: true }),
    force: flag('force'),
    statusMessage: text('status_message', { nullable: true }),
    attempts: integer('attempts', { default: 0 }),
    failedRuns: integer('failed_runs', { default: 0 }),
    lastRunAt: time('last_run_at', { nullable: true }),
    report: jsonb('report', { nullable: true }),
    traceparent: text('traceparent', { nullable: true }),
  },
  indices: [
    uniqueUuid('audits'),
    uniqueLiveName('audits'),
    indexOn('audits', 'goal_id', 'goalId'),
    indexOn('audits', 'strategy_id', 'strategyId'),
    { name: 'ix_audits_open', columns: ['state'], where: `deleted = 0 AND state IN ('PENDING', 'ONGOING')` },
  ],
});
