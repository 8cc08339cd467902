import { type ParsedCronItem, parseCronItems, run, type TaskList, Logger as WorkerLogger } from 'graphile-worker';
import { type Logger, OperatorError } from '#libs/domain';
import { createHistory } from '#libs/history/connect';
import { createMessageBus } from '#libs/messaging/connect';
import { registerService } from '#libs/registry';
import type { ServiceContext } from '#libs/service-kit';
import { createStore, type Store } from '#libs/store';
import { type Gate, startBehindGate, watchForProcess, whileOpen } from '#libs/watchers';
import type { schedulerEnv } from './env.ts';
import { expireActionPlans } from './tasks/expire-action-plans.ts';

type Context = ServiceContext<typeof schedulerEnv>;

/** How long a repeated request is recognised by its idempotency key. */
const idempotencyKeepSeconds = 86_400;

/** When each task runs, in UTC; a run that was missed for less than its back-fill is made up for. */
const timetable = [
  { task: 'expire-action-plans', match: '*/30 * * * *' },
  { task: 'prune-outbox', match: '7 * * * *' },
  { task: 'prune-history', match: '17 * * * *' },
  { task: 'prune-changes', match: '27 * * * *' },
];

/**
 * Starts the scheduled work of the whole deployment. Any number of schedulers may run: graphile-worker sees to it that
 * each run happens in one of them.
 */
export async function composeScheduler(context: Context): Promise<{ url: null }> {
  const { env } = context;
  const databaseUrl = env.VIGIL_DATABASE_URL;
  if (!databaseUrl)
    throw new OperatorError('VIGIL_DATABASE_URL is not set; `vigil up` starts everything with an embedded database', {
      exitCode: 2,
    });
  const { gate, amqpNodes } = await watchForProcess('scheduler', context, { databaseUrl });
  await startBehindGate(context, gate, (teardown) =>
    startScheduler({ ...context, teardown }, { databaseUrl, amqpNodes, gate }),
  );
  return { url: null };
}

async function startScheduler(
  context: Context,
  { databaseUrl, amqpNodes, gate }: { databaseUrl: string; amqpNodes: string[]; gate: Gate },
): Promise<void> {
  const { env, logger, teardown, readiness } = context;
  const store = await createStore({ url: databaseUrl, logger, applicationName: 'vigil-scheduler' });
  teardown.add('store', store.close);
  readiness.add('store', store.probe);
  const registration = await registerService(context, { type: 'scheduler', store, databaseUrl });
  const bus = await createMessageBus({
    amqpUrl: env.VIGIL_AMQP_URL,
    amqpNodes,
    databaseUrl,
    logger,
    prefix: env.VIGIL_AMQP_PREFIX,
    appId: context.instanceId,
    startWithoutBroker: true,
  });
  teardown.add('bus', bus.close);

  const tasks = await whileOpen(gate, logger, () => startTasks(context, store, databaseUrl, gate));
  teardown.add('tasks', tasks.stop);
  await registration.started(bus);
}

/** Tasks run while the database can be used; a runner that ended because it could not is started again with the gate. */
async function startTasks(context: Context, store: Store, databaseUrl: string, gate: Gate) {
  const runner = await run({
    connectionString: databaseUrl,
    taskList: createTasks(store, databaseUrl, context),
    parsedCronItems: createTimetable(),
    concurrency: 2,
    noHandleSignals: true,
    logger: adaptLogger(context.logger),
  });
  void runner.promise.catch((error: unknown) => {
    if (gate.isOpen) context.fail(error);
    else context.logger.warn({ error }, 'tasks wait for the database');
  });
  return { stop: () => runner.stop() };
}

function createTasks(store: Store, databaseUrl: string, { env, logger, clock }: Context): TaskList {
  return {
    'expire-action-plans': async () => {
      await expireActionPlans(store, { maxAgeHours: env.VIGIL_ACTION_PLAN_EXPIRY_HOURS, clock, logger });
    },
    'prune-outbox': async () => {
      const pruned = await store.outboxQueue.prune(env.VIGIL_OUTBOX_KEEP_SECONDS);
      const consumed = await store.db.inbox.prune(env.VIGIL_OUTBOX_KEEP_SECONDS * 2);
      const requests = await store.db.idempotencyKeys.prune(idempotencyKeepSeconds);
      logger.info({ pruned, consumed, requests }, 'sent and consumed messages and old idempotency keys removed');
    },
    'prune-changes': async () => {
      const pruned = await store.changes.prune(env.VIGIL_CHANGES_KEEP_SECONDS);
      logger.info({ pruned }, 'old changes removed from the change log');
    },
    'prune-history': async () => {
      const history = createHistory({ databaseUrl, logger, clock });
      try {
        await history.prune(env.VIGIL_HISTORY_KEEP_SECONDS);
      } finally {
        await history.close();
      }
    },
  };
}

function createTimetable(): ParsedCronItem[] {
  return parseCronItems(
    timetable.map((item) => ({ ...item, options: { maxAttempts: 5, backfillPeriod: 3_600_000, jobKey: item.task } })),
  );
}

function adaptLogger(logger: Logger): WorkerLogger {
  return new WorkerLogger((scope) => (level, message, meta) => {
    const fields = { ...meta, label: scope.label, detail: message };
    if (level === 'error') logger.error(fields, 'task worker');
    else if (level === 'warning') logger.warn(fields, 'task worker');
    else logger.debug(fields, 'task worker');
  });
}
