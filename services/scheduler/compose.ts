import { OperatorError } from '#libs/domain';
import { createMessageBus } from '#libs/messaging/connect';
import { registerService } from '#libs/registry';
import type { ServiceContext } from '#libs/service-kit';
import { createStore } from '#libs/store';
import { type Gate, startBehindGate, watchForProcess } from '#libs/watchers';
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
  const databaseUrl = env.VIGIL_DATABASE_URL;
  if (!databaseUrl)
    throw new OperatorError('VIGIL_DATABASE_URL is not set; `vigil up` starts everything with an embedded database', {
      exitCode: 2,
    });
  const { gate, ...addresses } = await watchForProcess('scheduler', context, { databaseUrl });
  await startBehindGate(context, gate, (teardown) => startScheduler({ ...context, teardown }, { ...addresses, gate }));
  return { url: null };
}

async function startScheduler(
  context: Context,
  { databaseUrl, amqpNodes, gate }: { databaseUrl: string; amqpNodes: string[]; gate: Gate },
): Promise<void> {
  const { env, logger, teardown, readiness } = context;
  const store = await createStore({
    url: databaseUrl,
    logger,
    metrics: context.metrics,
    applicationName: 'vigil-scheduler',
  });
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

  const scheduler = startSchedules(context, { store, gate });
  await startWorker(context, { store, bus, databaseUrl, scheduler, gate });
  await registration.started(bus);
}
