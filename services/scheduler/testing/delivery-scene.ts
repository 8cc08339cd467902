import { randomUUID } from 'node:crypto';
import { silentLogger } from '#libs/domain';
import { type ConfiguredTarget, newSigningSecret, parseAllowedHosts } from '#libs/notification-targets';
import { systemClock } from '#libs/service-kit';
import type { NotificationTarget, Store } from '#libs/store';
import { atEnd } from '#tests';
import { type DeliverDeps, deliverNotifications } from '../notifications/deliver-notifications.ts';

type NewTarget = Partial<Pick<NotificationTarget, 'name' | 'format' | 'kinds' | 'enabled'>> & {
  secret?: string;
  bearerToken?: string | null;
};

/** Creates a target as the API does. Returns its id and name. */
export async function insertTarget(store: Store, url: string, target: NewTarget = {}) {
  const { name = `target-${randomUUID()}`, format = 'json', kinds = null, enabled = true } = target;
  const { secret = newSigningSecret(), bearerToken = null } = target;
  await store.db.notificationTargets.insert(
    { uuid: randomUUID(), name, source: 'api', shownUrl: url, format, kinds, enabled },
    { url, secret, bearerToken },
  );
  const { id } = (await store.db.notificationTargets.find(name)) as NotificationTarget;
  return { id, name, secret };
}

/**
 * Delivers until the test ends. `*.test` resolves to loopback, where `receiver.test` and `other.test` are allowed.
 * @returns the function that stops it earlier
 */
export function startDelivering(
  store: Store,
  options: Partial<DeliverDeps> & { configured?: ConfiguredTarget[] } = {},
): () => Promise<void> {
  const deliveries = deliverNotifications({
    store,
    logger: silentLogger,
    newUuid: randomUUID,
    instance: randomUUID(),
    allowed: parseAllowedHosts(['http://receiver.test', 'http://other.test']),
    configured: [],
    timeoutMs: 5_000,
    maxAttempts: () => 12,
    now: systemClock.now,
    isOpen: () => true,
    onAttempt: () => undefined,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    everyMs: 20,
    ...options,
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= deliveries.stop();
    return stopped;
  };
  atEnd(stop);
  return stop;
}
