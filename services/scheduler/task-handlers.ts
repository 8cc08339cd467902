import type { JsonObject } from '#libs/domain';
import { createHistory } from '#libs/history/connect';
import { purgeDatabase, totalOf } from '#libs/store';
import type { TaskHandlers } from '#libs/tasks';
import { type HandlerDeps, keepOf, numberOr, type TaskSettings } from './task-settings.ts';
import { createPruning } from './tasks/create-pruning.ts';
import { expireActionPlans } from './tasks/expire-action-plans.ts';
import { type RedriveChoice, redriveTasks } from './tasks/redrive-tasks.ts';
import { resyncModels } from './tasks/resync.ts';

/** The handlers of every task in the catalogue. Each may be repeated after a partial run. */
export function createTaskHandlers(deps: HandlerDeps, settings: TaskSettings) {
  const { store, bus, databaseUrl, logger, clock } = deps;
  return {
    'expire-action-plans': async ({ args }) => {
      const maxAgeHours = numberOr(args.max_age_hours, settings.actionPlanExpiryHours);
      return { superseded: await expireActionPlans(store, { maxAgeHours, clock, logger }) };
    },
    ...createPruning(deps, settings),
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

function purgeChoice(args: JsonObject) {
  return {
    ...(typeof args.age_in_days === 'number' ? { ageInDays: args.age_in_days } : {}),
    ...(typeof args.max_number === 'number' ? { maxNumber: args.max_number } : {}),
    ...(typeof args.goal === 'string' ? { goal: args.goal } : {}),
    excludeOrphans: args.exclude_orphans === true,
  };
}
