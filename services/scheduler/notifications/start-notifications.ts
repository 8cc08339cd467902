import type { Gate } from '#libs/dependencies';
import { runPeriodically, type ServiceContext } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { configuredTargetsOf } from '../checks.ts';
import type { schedulerEnv } from '../env.ts';
import { deliverNotifications } from './deliver-notifications.ts';

type Context = ServiceContext<typeof schedulerEnv>;

const measureMs = 10_000;

/** Delivers notifications to their targets until the process stops. */
export async function startNotifications(
  context: Context,
  { store, gate }: { store: Store; gate: Gate },
): Promise<void> {
  const { env, logger, newUuid, instanceId, metrics, teardown, loops, clock } = context;
  const ended = metrics.counter('vigil_notification_attempts_total', 'Attempts to notify a target', ['result']);
  // From the start, so that an alert sees the first one.
  for (const result of ['delivered', 'retried', 'dead']) ended.inc({ result }, 0);
  const took = metrics.histogram('vigil_notification_attempt_seconds', 'Duration of attempts to notify a target', [
    'result',
  ]);
  const deliveries = await teardown.start('notifications', () =>
    deliverNotifications({
      store,
      logger,
      newUuid,
      instance: instanceId,
      ...configuredTargetsOf(env),
      timeoutMs: env.VIGIL_NOTIFICATION_TIMEOUT_SECONDS * 1000,
      maxAttempts: () => env.VIGIL_NOTIFICATION_MAX_ATTEMPTS,
      now: clock.now,
      isOpen: () => gate.isOpen,
      onAttempt({ result, seconds }) {
        ended.inc({ result });
        took.observe({ result }, seconds);
      },
      loops,
    }),
  );
  measureDeliveries(context, store, deliveries.leads);
}

/** The process that delivers measures, so that sums over processes are right. */
function measureDeliveries(context: Context, store: Store, leads: () => boolean): void {
  const waiting = context.metrics.gauge('vigil_notification_deliveries', 'Kept deliveries of notifications', ['state']);
  runPeriodically(context, {
    name: 'notification measurement',
    everyMs: measureMs,
    run: async () => {
      const counts = leads() ? await store.db.notificationDeliveries.counts() : [];
      waiting.reset();
      for (const { state, count } of counts) waiting.set({ state }, count);
    },
  });
}
