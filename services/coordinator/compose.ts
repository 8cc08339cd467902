import { startBehindGate, watchForProcess } from '#libs/dependencies';
import type { MessageBus } from '#libs/messaging';
import { openBus } from '#libs/messaging/connect';
import { registerService } from '#libs/processes';
import { runPeriodically, type ServiceContext } from '#libs/service-kit';
import { requireDatabaseUrl } from '#libs/service-kit/env';
import { openStore, type Store } from '#libs/store';
import type { coordinatorEnv } from './env.ts';
import { keepLeadership } from './leadership.ts';
import { startRecovery } from './recovery/start-recovery.ts';
import { createLoopDelay, createMachineWatch } from './supervisor/machine-watch.ts';
import { createSupervisor } from './supervisor/observe.ts';
import { readPressure } from './supervisor/read-pressure.ts';

type Context = ServiceContext<typeof coordinatorEnv>;

const supervisorLease = 'leader:supervisor';

/**
 * Starts the two roles, each led by one process of the deployment: supervisor and recovery coordinator. Both start once
 * their dependencies are available, which are those of a scheduler.
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
  const { env, logger, teardown, instanceId } = context;
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
  startSupervising(context, { store, bus, leads: () => supervising.fence() !== null });
  if (recovery !== null) {
    await teardown.start('event hints', () => bus.subscribe('service.event', recovery.wake));
  }
  await registration.started(bus);
}

/** Searches for lost processes and sends Checks while this process leads. */
function startSupervising(
  context: Context,
  { store, bus, leads }: { store: Store; bus: MessageBus; leads(): boolean },
): void {
  const { env, logger, instanceId, hostId, loops, metrics } = context;
  const nowMs = () => performance.now();
  const slow = metrics.gauge('vigil_recovery_machine_slow', '1 while the coordinator finds its machine slow');
  slow.set(0);
  const onChange = (isSlow: boolean) => slow.set(isSlow ? 1 : 0);
  const machine = createMachineWatch({ store, instanceId, host: hostId, logger, nowMs, readPressure, onChange });
  const supervisor = createSupervisor({ store, bus, instanceId, logger, machine, nowMs });
  const everyMs = env.VIGIL_COORDINATOR_POLL_SECONDS * 1000;
  const delay = createLoopDelay(nowMs);
  runPeriodically(context, {
    name: 'lost processes',
    everyMs,
    loops,
    run: async () => {
      const delayMs = delay.begin(everyMs);
      try {
        if (leads()) await supervisor.findLost(delayMs);
      } finally {
        delay.end();
      }
    },
  });
  runPeriodically(context, {
    name: 'checks',
    everyMs: () => env.VIGIL_COORDINATOR_CHECK_SECONDS * 1000,
    loops,
    run: async () => {
      if (leads()) await supervisor.checkAll();
    },
  });
}
