import { type Gate, startBehindGate, watchForProcess } from '#libs/dependencies';
import { openBus } from '#libs/messaging/connect';
import { registerService } from '#libs/processes';
import type { ServiceContext } from '#libs/service-kit';
import { requireDatabaseUrl } from '#libs/service-kit/env';
import { openStore } from '#libs/store';
import type { schedulerEnv } from './env.ts';
import { startSchedules } from './start-schedules.ts';
import { startWorker } from './start-worker.ts';

type Context = ServiceContext<typeof schedulerEnv>;

/**
 * Starts a worker of the background tasks and a candidate for the leader that evaluates their schedules. Any number may
 * run.
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
  const bus = await openBus(context, { databaseUrl, amqpNodes });

  const scheduler = startSchedules(context, { store, gate });
  await startWorker(context, { store, bus, databaseUrl, scheduler, gate });
  await registration.started(bus);
}
