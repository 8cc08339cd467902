import { EntitySchema } from 'typeorm';
import type { ConfigWarning, ScheduledTask, TaskRow } from '../tasks-contract.ts';
import { baseColumns, flag, integer, jsonb, leaseColumns, reference, text, time, timeOfInsert } from './columns.ts';
import { uniqueUuid } from './indices.ts';

/** Everything the table holds of a task. */
export interface StoredTask extends TaskRow {
  flightKey: string | null;
  extraNames: string[];
  waitUntil: Date;
  deletedAt: Date | null;
  deleted: number;
}

/** Table `tasks`. */
export const taskSchema = new EntitySchema<StoredTask>({
  name: 'Task',
  tableName: 'tasks',
  columns: {
    ...baseColumns('tasks'),
    name: text('name'),
    args: jsonb('args', { default: {} }),
    argsKey: text('args_key'),
    queue: text('queue'),
    mode: text('mode'),
    flightKey: text('flight_key', { nullable: true }),
    extraNames: text('extra_names', { array: true, default: '{}' }),
    priority: integer('priority', { default: 0 }),
    state: text('state', { default: 'QUEUED' }),
    runAfter: timeOfInsert('run_after'),
    waitUntil: time('wait_until'),
    attempts: integer('attempts', { default: 0 }),
    maxAttempts: integer('max_attempts'),
    timeoutSeconds: integer('timeout_seconds'),
    singleTimeoutSeconds: integer('single_timeout_seconds'),
    createdBy: text('created_by'),
    requestId: text('request_id', { nullable: true }),
    scheduleName: text('schedule_name', { nullable: true }),
    fireTime: time('fire_time', { nullable: true }),
    result: jsonb('result', { nullable: true }),
    error: jsonb('error', { nullable: true }),
    progress: jsonb('progress', { nullable: true }),
    ...leaseColumns(),
    startedAt: time('started_at', { nullable: true }),
    endedAt: time('ended_at', { nullable: true }),
    redrivenBy: text('redriven_by', { nullable: true }),
    redrivenAt: time('redriven_at', { nullable: true }),
  },
  indices: [
    uniqueUuid('tasks'),
    {
      name: 'uq_tasks_waiting',
      columns: ['name', 'argsKey'],
      unique: true,
      where: `state = 'QUEUED' AND flight_key IS NOT NULL`,
    },
    { name: 'uq_tasks_flight', columns: ['flightKey'], unique: true, where: `state IN ('RUNNING', 'RETRYING')` },
    { name: 'uq_tasks_firing', columns: ['scheduleName', 'fireTime'], unique: true },
    { name: 'ix_tasks_due', columns: ['queue', 'runAfter'], where: `state IN ('QUEUED', 'RETRYING', 'RUNNING')` },
    { name: 'ix_tasks_state', columns: ['state', 'id'] },
    { name: 'ix_tasks_ended_at', columns: ['endedAt'] },
  ],
});

/** Table `task_names`: names that a live exclusive task occupies. */
export const taskNameSchema = new EntitySchema<{ name: string; taskId: number }>({
  name: 'TaskName',
  tableName: 'task_names',
  columns: {
    name: text('name', { primary: true, primaryKeyConstraintName: 'pk_task_names' }),
    taskId: reference('task_names', 'task_id', 'Task', {
      foreignKey: { target: 'Task', name: 'fk_task_names_task_id', onDelete: 'CASCADE' },
    }),
  },
  indices: [{ name: 'ix_task_names_task_id', columns: ['taskId'] }],
});

/** Table `scheduled_tasks`. */
export const scheduledTaskSchema = new EntitySchema<ScheduledTask>({
  name: 'ScheduledTask',
  tableName: 'scheduled_tasks',
  columns: {
    name: text('name', { primary: true, primaryKeyConstraintName: 'pk_scheduled_tasks' }),
    task: text('task'),
    cron: text('cron', { nullable: true }),
    timezone: text('timezone', { default: 'UTC' }),
    args: jsonb('args', { default: {} }),
    enabled: flag('enabled'),
    source: text('source'),
    misfirePolicy: text('misfire_policy'),
    maxJitterSeconds: integer('max_jitter_seconds', { default: 0 }),
    lastFireAt: time('last_fire_at', { nullable: true }),
    nextFireAt: time('next_fire_at', { nullable: true }),
  },
});

const warningKey = { primary: true, primaryKeyConstraintName: 'pk_config_warnings' };

/** Table `config_warnings`. */
export const configWarningSchema = new EntitySchema<ConfigWarning>({
  name: 'ConfigWarning',
  tableName: 'config_warnings',
  columns: {
    source: text('source', warningKey),
    name: text('name', warningKey),
    reason: text('reason'),
    at: timeOfInsert('at'),
  },
});
