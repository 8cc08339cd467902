import type { JsonObject } from '#libs/domain';
import type { TaskDefinition } from './task-definition.ts';

const noArguments: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

const keepSeconds = { type: 'integer', minimum: 60, maximum: 315_360_000 };

/** `{ keep_seconds }`: age at which rows are pruned. Default: the configuration of the scheduler. */
const pruneArguments: JsonObject = {
  type: 'object',
  properties: {
    keep_seconds: { ...keepSeconds, description: 'Minimum age of removed rows; default: as configured.' },
  },
  additionalProperties: false,
};

const pruning = {
  argumentsSchema: pruneArguments,
  queue: 'generic',
  singleFlight: { mode: 'deduped' },
  timeoutSeconds: 600,
} as const;

/** Everything that Vigil does in the background by the clock or on request. */
export const taskDefinitions: readonly TaskDefinition[] = [
  {
    name: 'expire-action-plans',
    description: 'RECOMMENDED action plans that are too old become SUPERSEDED.',
    argumentsSchema: {
      type: 'object',
      properties: {
        max_age_hours: { type: 'integer', minimum: 1, maximum: 87_600, description: 'Default: as configured.' },
      },
      additionalProperties: false,
    },
    queue: 'generic',
    singleFlight: { mode: 'deduped' },
    timeoutSeconds: 600,
    schedule: { cron: '*/30 * * * *' },
  },
  {
    ...pruning,
    name: 'prune-plans',
    description:
      'Removes ended action plans that are too old or too many of one audit, with their actions; their numbers stay in the totals.',
    argumentsSchema: {
      type: 'object',
      properties: {
        keep_seconds: {
          ...keepSeconds,
          description: 'Minimum age of removed plans; default: as configured.',
        },
        keep_per_audit: {
          type: 'integer',
          minimum: 0,
          maximum: 1_000_000,
          description:
            'Ended plans that an audit keeps, counted separately for started and other ones; 0: all; default: as configured.',
        },
      },
      additionalProperties: false,
    },
    schedule: { cron: '*/5 * * * *' },
  },
  {
    ...pruning,
    name: 'prune-outbox',
    description: 'Removes messages that were sent, the record of consumed ones, and old idempotency keys.',
    schedule: { cron: '7 * * * *' },
  },
  {
    ...pruning,
    name: 'prune-history',
    description: 'Removes old samples from the history tables of the database.',
    schedule: { cron: '17 * * * *' },
  },
  {
    ...pruning,
    name: 'prune-changes',
    description: 'Removes entries of the change log that are too old or too many.',
    schedule: { cron: '2-59/5 * * * *' },
  },
  {
    ...pruning,
    name: 'prune-tasks',
    description: 'Removes old ended background tasks.',
    schedule: { cron: '37 * * * *' },
  },
  {
    ...pruning,
    name: 'prune-audit-log',
    description: 'Removes entries of the audit log that are too old.',
    schedule: { cron: '47 * * * *' },
  },
  {
    ...pruning,
    name: 'prune-decisions',
    description: 'Removes old decisions and events of the recovery, ended instances, and services without heartbeats.',
    schedule: { cron: '57 * * * *' },
  },
  {
    ...pruning,
    name: 'prune-notifications',
    description: 'Removes deliveries of notifications and dead letters that are too old or too many.',
    schedule: { cron: '4-59/5 * * * *' },
  },
  {
    ...pruning,
    name: 'prune-properties',
    description: 'Removes dynamic properties without a recent reader.',
    schedule: { cron: '3-59/5 * * * *' },
  },
  {
    name: 'purge',
    description: 'Permanently removes rows that were deleted through the API, and rows that refer to them.',
    argumentsSchema: {
      type: 'object',
      properties: {
        age_in_days: { type: 'integer', minimum: 0, maximum: 36_500, description: 'Only rows deleted longer ago.' },
        max_number: { type: 'integer', minimum: 1, description: 'Maximum number of rows, by whole goals.' },
        goal: { type: 'string', minLength: 1, description: 'Only this deleted goal; uuid or name.' },
        exclude_orphans: { type: 'boolean', description: 'Keep rows that are not deleted themselves.' },
        dry_run: { type: 'boolean', description: 'Only count.' },
      },
      additionalProperties: false,
    },
    queue: 'masters',
    singleFlight: { mode: 'exclusive' },
    timeoutSeconds: 3_600,
    schedule: { cron: '23 3 * * *', enabled: false, args: { age_in_days: 30 } },
  },
  {
    name: 'redrive-tasks',
    description: 'Runs tasks that have failed again, oldest first.',
    argumentsSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'Only tasks of this name.' },
        queue: { type: 'string', minLength: 1, description: 'Only tasks of this queue.' },
      },
      additionalProperties: false,
    },
    queue: 'generic',
    singleFlight: { mode: 'deduped' },
    timeoutSeconds: 600,
  },
  {
    name: 'resync',
    description: 'Every decision engine drops its models of the cloud and collects them again.',
    argumentsSchema: noArguments,
    queue: 'generic',
    singleFlight: { mode: 'deduped' },
    timeoutSeconds: 600,
  },
  {
    name: 'probe-worker',
    description: 'Does nothing, on the worker of one host; shows that this worker runs tasks.',
    argumentsSchema: noArguments,
    queue: 'host',
    singleFlight: { mode: 'none' },
    timeoutSeconds: 30,
    maxAttempts: 1,
  },
];
