import type { Clock, JsonObject, Logger } from '#libs/domain';
import { createHistory } from '#libs/history/connect';
import type { MessageBus } from '#libs/messaging';
import { purgeDatabase, type Store, totalOf } from '#libs/store';
import type { TaskHandlers } from '#libs/tasks';
import { expireActionPlans } from './tasks/expire-action-plans.ts';
import { type RedriveChoice, redriveTasks } from './tasks/redrive-tasks.ts';
import { resyncModels } from './tasks/resync.ts';

/** How long a repeated request is recognised by its idempotency key. */
const idempotencyKeepSeconds = 86_400;

/** What the configuration says about the built-in tasks. */
export interface TaskSettings {
  actionPlanExpiryHours: number;
  outboxKeepSeconds: number;
  changesKeepSeconds: number;
  historyKeepSeconds: number;
  tasksKeepSeconds: number;
  auditLogKeepSeconds: number;
}

interface HandlerDeps {
  store: Store;
  bus: Pick<MessageBus, 'request'>;
  databaseUrl: string;
  logger: Logger;
  clock: Clock;
}

/** The code of every task in the catalogue; each may run again after half of its work is done. */
export function createTaskHandlers({ store, bus, databaseUrl, logger, clock }: HandlerDeps, settings: TaskSettings) {
  return {
    'expire-action-plans': async ({ args }) => {
      const maxAgeHours = numberOr(args.max_age_hours, settings.actionPlanExpiryHours);
      return { superseded: await expireActionPlans(store, { maxAgeHours, clock, logger }) };
    },
    'prune-outbox': async ({ args }) => {
      const keepSeconds = keepOf(args, settings.outboxKeepSeconds);
      return {
        messages: await store.outboxQueue.prune(keepSeconds),
        consumed: await store.db.inbox.prune(keepSeconds * 2),
        idempotency_keys: await store.db.idempotencyKeys.prune(idempotencyKeepSeconds),
      };
    },
    'prune-changes': async ({ args }) => ({
      changes: await store.changes.prune(keepOf(args, settings.changesKeepSeconds)),
    }),
    'prune-tasks': async ({ args }) => ({
      tasks: await store.db.tasks.prune(keepOf(args, settings.tasksKeepSeconds)),
    }),
    'prune-audit-log': async ({ args }) => ({
      entries: await store.db.auditLog.prune(keepOf(args, settings.auditLogKeepSeconds)),
    }),
    'prune-history': async ({ args }) => {
      const history = createHistory({ databaseUrl, logger, clock });
      try {
        await history.prune(keepOf(args, settings.historyKeepSeconds));
        return null;
      } finally {
        await history.close();
      }
    },
    purge: async ({ args, progress }) => {
      const { counts, isDone } = await purgeDatabase(databaseUrl, {
        ...purgeChoice(args),
        dryRun: args.dry_run === true,
        logger,
        confirmLimit: async () => true,
        confirm: async (found) => {
          await progress(0, `${totalOf(found)} rows to remove`);
          return true;
        },
      });
      return { deleted: isDone, total: totalOf(counts), counts: { ...counts } };
    },
    'redrive-tasks': (run) => redriveTasks(store, run.args as RedriveChoice, run),
    resync: () => resyncModels(store, bus),
    'probe-worker': async ({ attempt }) => ({ attempt }),
  } satisfies TaskHandlers;
}

function keepOf(args: JsonObject, configured: number): number {
  return numberOr(args.keep_seconds, configured);
}

function numberOr(value: unknown, configured: number): number {
  return typeof value === 'number' ? value : configured;
}

function purgeChoice(args: JsonObject) {
  return {
    ...(typeof args.age_in_days === 'number' ? { ageInDays: args.age_in_days } : {}),
    ...(typeof args.max_number === 'number' ? { maxNumber: args.max_number } : {}),
    ...(typeof args.goal === 'string' ? { goal: args.goal } : {}),
    excludeOrphans: args.exclude_orphans === true,
  };
}
