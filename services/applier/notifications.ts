import { createNotificationExchange } from '#libs/messaging/amqp';
import { startNotifier } from '#libs/notifications';
import type { ServiceContext } from '#libs/service-kit';
import type { Store } from '#libs/store';
import type { applierEnv } from './env.ts';

/**
 * Sends Watcher's notifications, and the audit log as CADF events, if a broker is configured.
 * @param amqpNodes further nodes of its cluster
 */
export async function startNotifications(
  context: ServiceContext<typeof applierEnv>,
  store: Store,
  amqpNodes: readonly string[],
): Promise<void> {
  const { env, logger, clock, newUuid, instanceId, hostId, teardown } = context;
  const level = env.VIGIL_NOTIFICATION_LEVEL;
  const auditLog = env.VIGIL_NOTIFICATION_AUDIT_LOG;
  if (!env.VIGIL_AMQP_URL || (level === 'none' && !auditLog)) return;
  const url = env.VIGIL_AMQP_URL;
  const exchange = await teardown.start('notification exchange', () =>
    createNotificationExchange({
      url,
      nodes: amqpNodes,
      logger,
      appId: instanceId,
      durable: env.VIGIL_NOTIFICATION_DURABLE,
    }),
  );
  await teardown.start('notifier', () =>
    startNotifier({
      store,
      sink: exchange,
      level,
      auditLog,
      publisherId: `infra-optim:${hostId}`,
      instance: instanceId,
      clock,
      newUuid,
      logger,
    }),
  );
}
