import type { IdSource, Logger } from '#libs/domain';
import { createSender } from '#libs/http';
import {
  type AllowedHosts,
  type ConfiguredTarget,
  createCheckedLookup,
  type Resolve,
} from '#libs/notification-targets';
import { type Periodic, startPeriodic } from '#libs/service-kit';
import { createLeader, type NotificationDelivery, type Store } from '#libs/store';
import { collectEvents } from './collect-events.ts';
import { sendNotification } from './send-notification.ts';
import { callableTargets, syncTargets } from './sync-targets.ts';

const lease = { resource: 'leader:notification-targets', ttlMs: 15_000 };
/** Maximum concurrent notifications to one target. */
const perTarget = 2;
/** Added to the time limit of a request, for its record. */
const marginMs = 10_000;

/** Collaborators of the delivery. */
export interface DeliverDeps {
  store: Store;
  logger: Logger;
  newUuid: IdSource;
  /** Registry id of this process. Of several schedulers one delivers at a time. */
  instance: string;
  allowed: AllowedHosts;
  configured: readonly ConfiguredTarget[];
  /** Time limit of one request, in milliseconds. */
  timeoutMs: number;
  /** Attempts of one delivery at most, read for each. */
  maxAttempts(): number;
  /** Milliseconds since 1970. */
  now(): number;
  /** Whether the dependencies are available. */
  isOpen(): boolean;
  /** Called after each attempt. */
  onAttempt(attempt: { result: 'delivered' | 'retried' | 'dead'; seconds: number }): void;
  /** Resolves names. Default: as the system does. */
  resolve?: Resolve;
  loops?: Parameters<typeof startPeriodic>[0]['loops'];
  /** Pause between two polls, in milliseconds. Default 1,000. */
  everyMs?: number;
}

/** Deliveries that run until they are stopped. */
export interface Deliveries extends Pick<Periodic, 'wake' | 'stop'> {
  /** Whether this process delivers, and not another one. */
  leads(): boolean;
}

const results = { deliver: 'delivered', retry: 'retried', giveUp: 'dead' } as const;

/**
 * Collects events and delivers them while this process leads. Each target has its places, so that one that hangs delays
 * no other. Delivery is at least once, with the same id.
 */
export function deliverNotifications(deps: DeliverDeps): Deliveries {
  const { store, logger, allowed, configured, timeoutMs } = deps;
  const leader = createLeader(store.db.leases, { ...lease, holder: deps.instance });
  const sender = createSender({ timeoutMs, lookup: createCheckedLookup(allowed, deps.resolve), dropsBodies: true });
  const running = new Map<number, number>();
  const attempts = new Set<Promise<void>>();
  const ending = new AbortController();

  async function attempt(delivery: NotificationDelivery, target: Parameters<typeof sendNotification>[2]) {
    const begin = performance.now();
    const { signal } = ending;
    const maxAttempts = deps.maxAttempts();
    const end = await sendNotification({ sender, allowed, now: deps.now, maxAttempts, signal }, delivery, target);
    deps.onAttempt({ result: results[end.event], seconds: (performance.now() - begin) / 1000 });
    const fields = { target: delivery.targetName, delivery: delivery.uuid, reason: end.reason };
    if (end.event === 'giveUp') logger.warn(fields, 'cannot deliver notification');
    // Without the record the lease expires, and the notification is sent again.
    await store.db.notificationDeliveries
      .endAttempt(delivery, end)
      .catch((error: unknown) => logger.info({ ...fields, error }, 'cannot store end of delivery'));
  }

  function start(delivery: NotificationDelivery, target: Parameters<typeof sendNotification>[2]): void {
    const { targetId } = delivery;
    running.set(targetId, (running.get(targetId) ?? 0) + 1);
    const one = attempt(delivery, target).finally(() => {
      running.set(targetId, (running.get(targetId) ?? 1) - 1);
      attempts.delete(one);
      periodic.wake();
    });
    attempts.add(one);
  }

  async function run(signal: AbortSignal): Promise<void> {
    if (!deps.isOpen()) return;
    const held = await leader.renew();
    if (held === null) return;
    if (held.isNew) await syncTargets(deps, configured);
    await collectEvents(deps, signal);
    const targets = await callableTargets(store, configured);
    const places = new Map([...targets.keys()].map((id) => [id, perTarget - (running.get(id) ?? 0)]));
    const due = await store.db.notificationDeliveries.takeDue(places, timeoutMs + marginMs);
    for (const delivery of due) {
      const target = targets.get(delivery.targetId);
      if (target) start(delivery, target);
    }
  }

  const periodic = startPeriodic({
    name: 'notifications',
    everyMs: deps.everyMs ?? 1_000,
    run,
    logger,
    loops: deps.loops,
  });
  return {
    wake: periodic.wake,
    leads: () => leader.fence() !== null,
    async stop() {
      const stopped = periodic.stop();
      ending.abort();
      await stopped;
      await Promise.all(attempts);
      await sender.close();
      await leader.resign();
    },
  };
}
