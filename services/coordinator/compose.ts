import { startBehindGate, watchForProcess } from '#libs/dependencies';
import { openBus } from '#libs/messaging/connect';
import { registerService } from '#libs/processes';
import { runPeriodically, type ServiceContext } from '#libs/service-kit';
import { requireDatabaseUrl } from '#libs/service-kit/env';
import { openStore } from '#libs/store';
import type { coordinatorEnv } from './env.ts';
import { keepLeadership } from './leadership.ts';
import { startRecovery } from './recovery/start-recovery.ts';
import { createSupervisor } from './supervisor/observe.ts';

type Context = ServiceContext<typeof coordinatorEnv>;

const supervisorLease = 'leader:supervisor';

/**
 * Starts the two roles, each led by one process of the deployment: supervisor and recovery coordinator. Both start when
 * what they need, which is what a scheduler needs, can be used.
 */
export async function composeCoordinator(context: Context): Promise<{ url: null }> {
  const databaseUrl = requireDatabaseUrl(context.env);
  const { gate, ...addresses } = await watchForProcess('scheduler', context, { databaseUrl });
  await startBehindGate(context, gate, (teardown) => startRoles({ ...context, teardown }, addresses));
  return { url: null };
}

async function startRoles(
  context: Context,
  { databaseUrl, amqpNodes }: { databaseUrl: string; amqpNodes: string[] },
): Promise<void> {
  const { env, logger, teardown, instanceId, loops } = context;
  const store = await openStore(context, databaseUrl, 'vigil-coordinator');
  const registration = await registerService(context, { type: 'recovery-coordinator', store, databaseUrl });
  const ttlMs = env.VIGIL_COORDINATOR_LEASE_SECONDS * 1000;
  const everyMs = env.VIGIL_COORDINATOR_POLL_SECONDS * 1000;
  // Before the bus, which only makes it fast.
  const recovery = env.VIGIL_COORDINATOR_RECOVERY ? startRecovery(context, store, { ttlMs, everyMs }) : null;
  const bus = await openBus(context, { databaseUrl, amqpNodes });

  const supervising = await teardown.start('supervisor lease', () =>
    keepLeadership({
      store,
      resource: supervisorLease,
      holder: instanceId,
      ttlMs,
      logger,
      onGained: () => undefined,
    }),
  );
  const supervisor = createSupervisor({ store, bus, instanceId, logger });
  const observing = (name: string, periodMs: number | (() => number), run: () => Promise<void>) =>
    runPeriodically(context, {
      name,
      everyMs: periodMs,
      loops,
      run: async () => {
        if (supervising.fence() !== null) await run();
      },
    });
  observing('lost processes', everyMs, supervisor.findLost);
  observing('checks', () => env.VIGIL_COORDINATOR_CHECK_SECONDS * 1000, supervisor.checkAll);
  if (recovery !== null) {
    await teardown.start('event hints', () => bus.subscribe('service.event', recovery.wake));
  }
  await registration.started(bus);
}
