import { integer, notificationAllowedHosts, text } from '#libs/service-kit/env';

/** Configuration of the scheduler. */
export const schedulerEnv = {
  VIGIL_ACTION_PLAN_EXPIRY_HOURS: integer({
    reloadable: true,
    default: 24,
    min: 0,
    max: 87_600,
    description: 'Age at which a RECOMMENDED action plan becomes SUPERSEDED; 0: never.',
  }),
  VIGIL_PLANS_KEEP_SECONDS: integer({
    reloadable: true,
    default: 2_592_000,
    min: 60,
    max: 315_360_000,
    description: 'How long action plans that have ended, or were deleted, stay with their actions; default 30 days.',
  }),
  VIGIL_PLANS_KEEP_PER_AUDIT: integer({
    reloadable: true,
    default: 100,
    min: 0,
    max: 1_000_000,
    description:
      'Number of newest ended action plans that an audit keeps; started plans and plans that were never started are counted separately; 0: all.',
  }),
  VIGIL_OUTBOX_KEEP_SECONDS: integer({
    reloadable: true,
    default: 86_400,
    min: 60,
    max: 31_536_000,
    description: 'How long sent messages stay in the outbox.',
  }),
  VIGIL_CHANGES_KEEP_SECONDS: integer({
    reloadable: true,
    default: 86_400,
    min: 60,
    max: 31_536_000,
    description: 'How long changes stay in the change log; a client that was disconnected for longer starts over.',
  }),
  VIGIL_CHANGES_KEEP_ROWS: integer({
    reloadable: true,
    default: 200_000,
    min: 1_000,
    max: 100_000_000,
    description: 'Maximum number of changes in the change log, at any age.',
  }),
  VIGIL_HISTORY_KEEP_SECONDS: integer({
    reloadable: true,
    default: 172_800,
    min: 3600,
    max: 31_536_000,
    description: 'How long samples stay in the history tables of the database (InfluxDB has its own retention).',
  }),
  VIGIL_TASKS_KEEP_SECONDS: integer({
    reloadable: true,
    default: 604_800,
    min: 60,
    max: 31_536_000,
    description: 'How long ended background tasks are kept.',
  }),
  VIGIL_AUDIT_LOG_KEEP_SECONDS: integer({
    reloadable: true,
    default: 7_776_000,
    min: 3600,
    max: 315_360_000,
    description: 'How long entries of the audit log are kept; default 90 days.',
  }),
  VIGIL_DECISIONS_KEEP_DAYS: integer({
    reloadable: true,
    default: 30,
    min: 1,
    max: 3650,
    description:
      'How long decisions, events and ended instances stay in the database, and services without heartbeats in GET /v1/services.',
  }),
  VIGIL_NOTIFICATION_TARGETS: text({
    secret: true,
    description: 'JSON list of targets, see docs/notifications.md.',
  }),
  VIGIL_NOTIFICATION_ALLOWED_HOSTS: notificationAllowedHosts,
  VIGIL_NOTIFICATION_TIMEOUT_SECONDS: integer({
    default: 10,
    min: 1,
    max: 120,
    description: 'Time limit of one request to a target.',
  }),
  VIGIL_NOTIFICATION_MAX_ATTEMPTS: integer({
    reloadable: true,
    default: 12,
    min: 1,
    max: 100,
    description: 'Attempts until a notification is a dead letter.',
  }),
  VIGIL_NOTIFICATION_KEEP_SECONDS: integer({
    reloadable: true,
    default: 2_592_000,
    min: 3600,
    max: 31_536_000,
    description: 'Age at which deliveries are removed.',
  }),
  VIGIL_NOTIFICATION_KEEP_ROWS: integer({
    reloadable: true,
    default: 100_000,
    min: 100,
    max: 10_000_000,
    description: 'Maximum number of deliveries, the newest.',
  }),
  VIGIL_TASKS_CONCURRENCY: integer({
    default: 4,
    min: 1,
    max: 100,
    description: 'Concurrent background tasks of a process, for each of `generic` and the queue of its host.',
  }),
  VIGIL_TASKS_FILE: text({
    description:
      'File (YAML or JSON) with other times for background tasks, see docs/run.md; read again when it changes.',
  }),
} as const;
