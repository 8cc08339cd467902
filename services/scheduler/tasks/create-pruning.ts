import type { TaskHandler, TaskRun } from '#libs/tasks';
import { type HandlerDeps, keepOf, numberOr, type TaskSettings } from '../task-settings.ts';

/** Retention of idempotency keys. */
const idempotencyKeepSeconds = 86_400;
/** Longer than any property is shown. */
const propertiesKeepSeconds = 3_600;

/** The handlers of tasks that remove rows of the store. Each counts the removed rows and returns their number. */
export function createPruning({ store, onPruned }: Pick<HandlerDeps, 'store' | 'onPruned'>, settings: TaskSettings) {
  const counting =
    (prune: (run: TaskRun) => Promise<Record<string, number>>): TaskHandler =>
    async (run) => {
      const removed = await prune(run);
      for (const [what, count] of Object.entries(removed)) onPruned(what, count);
      return removed;
    };
  return {
    'prune-plans': counting(async ({ args, signal }) => {
      const keepSeconds = keepOf(args, settings.plansKeepSeconds);
      const keepPerAudit = numberOr(args.keep_per_audit, settings.plansKeepPerAudit);
      return {
        ...(await store.retention.prunePlans({ keepSeconds, keepPerAudit, signal })),
        host_versions: await store.db.hostVersions.prune(keepSeconds),
      };
    }),
    'prune-outbox': counting(async ({ args }) => {
      const keepSeconds = keepOf(args, settings.outboxKeepSeconds);
      return {
        messages: await store.outboxQueue.prune(keepSeconds),
        consumed: await store.db.inbox.prune(keepSeconds * 2),
        idempotency_keys: await store.db.idempotencyKeys.prune(idempotencyKeepSeconds),
      };
    }),
    'prune-changes': counting(async ({ args }) => ({
      changes: await store.changes.prune(keepOf(args, settings.changesKeepSeconds), settings.changesKeepRows),
    })),
    'prune-tasks': counting(async ({ args }) => ({
      tasks: await store.db.tasks.prune(keepOf(args, settings.tasksKeepSeconds)),
    })),
    'prune-audit-log': counting(async ({ args }) => ({
      entries: await store.db.auditLog.prune(keepOf(args, settings.auditLogKeepSeconds)),
    })),
    'prune-decisions': counting(async ({ args }) => ({
      decisions: await store.db.recovery.prune(keepOf(args, settings.decisionsKeepSeconds)),
    })),
    'prune-notifications': counting(async ({ args }) => ({
      notification_deliveries: await store.db.notificationDeliveries.prune(
        keepOf(args, settings.notificationsKeepSeconds),
        settings.notificationsKeepRows,
      ),
    })),
    'prune-properties': counting(async ({ args }) => ({
      properties: await store.dynamicValues.prune(keepOf(args, propertiesKeepSeconds)),
    })),
  };
}
