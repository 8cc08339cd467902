import type { Gate } from '#libs/dependencies';
import { createRandom } from '#libs/domain';
import type { MessageBus } from '#libs/messaging';
import { runPeriodically, type ServiceContext } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { startTaskWorker, type TaskScheduler } from '#libs/tasks';
import type { schedulerEnv } from './env.ts';
import { createTaskHandlers } from './task-handlers.ts';
import type { TaskSettings } from './task-settings.ts';

type Context = ServiceContext<typeof schedulerEnv>;

const depthMs = 10_000;

/** Executes tasks while the gate is open: shared ones, those of this host, and the leader's while it leads. */
export async function startWorker(
  context: Context,
  deps: { store: Store; bus: Pick<MessageBus, 'request'>; databaseUrl: string; scheduler: TaskScheduler; gate: Gate },
): Promise<void> {
  const { store, bus, databaseUrl, scheduler, gate } = deps;
  const { env, logger, clock, instanceId, hostId, metrics, teardown } = context;
  const ended = metrics.counter('vigil_tasks_total', 'Runs of background tasks that have ended', ['task', 'outcome']);
  const pruned = metrics.counter('vigil_pruned_rows_total', 'Rows that were removed by age or number', ['what']);
  const concurrency = env.VIGIL_TASKS_CONCURRENCY;
  const isOpen = () => gate.isOpen;
  await teardown.start('tasks', () =>
    startTaskWorker(
      {
        store,
        handlers: createTaskHandlers(
          { store, bus, databaseUrl, logger, clock, onPruned: (what, count) => pruned.inc({ what }, count) },
          context.follow(() => settingsOf(context)),
        ),
        instanceId,
        host: hostId,
        logger,
        random: createRandom(clock.now()),
        onEnded: (task, outcome) => ended.inc({ task, outcome }),
      },
      {
        queues: [
          { name: 'generic', concurrency, isOpen },
          { name: 'masters', concurrency: 1, isOpen: () => isOpen() && scheduler.isLeader() },
          { name: `host.${hostId}`, concurrency, isOpen },
        ],
      },
    ),
  );
  measureQueues(context, store);
}

function settingsOf({ env }: Context): TaskSettings {
  return {
    actionPlanExpiryHours: env.VIGIL_ACTION_PLAN_EXPIRY_HOURS,
    plansKeepSeconds: env.VIGIL_PLANS_KEEP_SECONDS,
    plansKeepPerAudit: env.VIGIL_PLANS_KEEP_PER_AUDIT,
    outboxKeepSeconds: env.VIGIL_OUTBOX_KEEP_SECONDS,
    changesKeepSeconds: env.VIGIL_CHANGES_KEEP_SECONDS,
    changesKeepRows: env.VIGIL_CHANGES_KEEP_ROWS,
    historyKeepSeconds: env.VIGIL_HISTORY_KEEP_SECONDS,
    tasksKeepSeconds: env.VIGIL_TASKS_KEEP_SECONDS,
    auditLogKeepSeconds: env.VIGIL_AUDIT_LOG_KEEP_SECONDS,
    decisionsKeepSeconds: env.VIGIL_DECISIONS_KEEP_DAYS * 86_400,
    notificationsKeepSeconds: env.VIGIL_NOTIFICATION_KEEP_SECONDS,
    notificationsKeepRows: env.VIGIL_NOTIFICATION_KEEP_ROWS,
  };
}

function measureQueues(context: Context, store: Store): void {
  const { metrics } = context;
  const depth = metrics.gauge('vigil_unfinished_tasks', 'Background tasks that have not succeeded', ['queue', 'state']);
  runPeriodically(context, {
    name: 'task measurement',
    everyMs: depthMs,
    run: async () => {
      const counts = await store.db.tasks.counts();
      depth.reset();
      for (const { queue, state, count } of counts) depth.set({ queue, state }, count);
    },
  });
}
