import { type Gate, startBehindGate, watchForProcess } from '#libs/dependencies';
import { createRandom } from '#libs/domain';
import { openBus } from '#libs/messaging/connect';
import { registerService } from '#libs/processes';
import { type ServiceContext, startPeriodic } from '#libs/service-kit';
import { requireDatabaseUrl } from '#libs/service-kit/env';
import { openStore, type Store } from '#libs/store';
import {
  createOverrideFile,
  createTaskCatalogue,
  createTaskRequests,
  createTaskScheduler,
  type TaskScheduler,
  taskDefinitions,
} from '#libs/tasks';
import type { schedulerEnv } from './env.ts';
import { startNotifications } from './notifications/start-notifications.ts';
import { startWorker } from './start-worker.ts';

type Context = ServiceContext<typeof schedulerEnv>;

/**
 * Starts a worker of background tasks and a candidate for the leader that evaluates their schedules. Any number of
 * schedulers may run.
 */
export async function composeScheduler(context: Context): Promise<{ url: null }> {
  const { env } = context;
  const databaseUrl = requireDatabaseUrl(env);
  const { gate, ...addresses } = await watchForProcess('scheduler', context, { databaseUrl });
  await startBehindGate(context, gate, (teardown) => startScheduler({ ...context, teardown }, { ...addresses, gate }));
  return { url: null };
}

async function startScheduler(
  context: Context,
  { databaseUrl, amqpNodes, gate }: { databaseUrl: string; amqpNodes: string[]; gate: Gate },
): Promise<void> {
  const store = await openStore(context, databaseUrl, 'vigil-scheduler');
  const registration = await registerService(context, { type: 'scheduler', store, databaseUrl });
  const scheduler = startSchedules(context, { store, gate });
  const bus = await openBus(context, { databaseUrl, amqpNodes });
  await startWorker(context, { store, bus, databaseUrl, scheduler, gate });
  await startNotifications(context, { store, gate });
  await registration.started(bus);
}

/** Interval at which schedules are checked and the leader's lease is renewed. */
const tickMs = 1_000;

/** Evaluates the schedules of tasks while this process is the leader. */
function startSchedules(
  { env, logger, clock, newUuid, instanceId, teardown, loops }: ServiceContext<typeof schedulerEnv>,
  { store, gate }: { store: Store; gate: Gate },
): TaskScheduler {
  const catalogue = createTaskCatalogue(taskDefinitions);
  const requests = createTaskRequests({ store, catalogue, newUuid });
  const random = createRandom(clock.now());
  const scheduler = createTaskScheduler({ store, catalogue, requests, logger, random }, { holder: instanceId });
  const overrides = createOverrideFile(env.VIGIL_TASKS_FILE, catalogue);
  const ticking = startPeriodic({
    name: 'task schedules',
    everyMs: tickMs,
    loops,
    run: async () => {
      if (gate.isOpen) await scheduler.tick(await overrides.read());
    },
    logger,
  });
  teardown.add('task schedules', async () => {
    await ticking.stop();
    await scheduler.resign();
  });
  return scheduler;
}
