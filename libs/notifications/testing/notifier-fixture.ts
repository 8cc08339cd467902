import { randomUUID } from 'node:crypto';
import { connect } from 'amqplib';
import { expect } from 'vitest';
import { type JsonObject, silentLogger } from '#libs/domain';
import { createNotificationExchange, type NotificationExchange } from '#libs/messaging/amqp';
import { type Periodic, systemClock } from '#libs/service-kit';
import type { Store } from '#libs/store';
import {
  atEnd,
  insertAction,
  insertActionPlan,
  insertAudit,
  insertGoal,
  insertStrategy,
  testServerUrl,
  useStore,
} from '#tests';
import type { NotificationSink } from '../notification.ts';
import { startNotifier } from '../notifier.ts';

/** A received notification. */
export interface Received {
  routingKey: string;
  messageId: string;
  contentType: string;
  envelope: Record<string, string>;
  message: Record<string, unknown> & { event_type: string; payload: JsonObject };
}

/** Settings of a notifier. */
export interface Wanted {
  level?: 'info' | 'error' | 'none';
  auditLog?: boolean;
  sink?: NotificationSink;
  instance?: string;
}

/** A store, notifiers on it, and a listener of their exchange. */
export interface NotifierFixture {
  store: Store;
  sink: NotificationExchange;
  /** All notifications since the last `reset`. */
  received: Received[];
  /** A notifier that has seen everything that already exists. */
  start(options?: Wanted): Promise<Periodic>;
  resume(options?: Wanted): Periodic;
  /** Event types of the received messages. */
  types(): string[];
  /** Waits until this number has arrived. */
  seen(count: number): Promise<void>;
  /** An action with all that it belongs to. */
  world(): ReturnType<typeof insertWorld>;
  /** Stops the notifiers and forgets the received messages. */
  reset(): Promise<void>;
}

/** A fixture with a database and its own exchange. */
export async function useNotifierFixture(): Promise<NotifierFixture> {
  const exchange = `watcher-${randomUUID()}`;
  const received: Received[] = [];
  const running: Periodic[] = [];
  const { store } = await useStore();
  const url = testServerUrl('rabbitmq');
  const sink = await createNotificationExchange({ url, logger: silentLogger, appId: 'test', exchange });
  const broker = await connect(url);
  atEnd(() => Promise.all([sink.close(), broker.close()]));
  const channel = await broker.createChannel();
  // Acts as a listener of oslo.messaging.
  await channel.assertExchange(exchange, 'topic', { durable: false, autoDelete: false });
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, exchange, 'notifications.*');
  await channel.consume(
    queue,
    (delivery) => {
      if (!delivery) return;
      const envelope = JSON.parse(delivery.content.toString('utf8')) as Record<string, string>;
      received.push({
        routingKey: delivery.fields.routingKey,
        messageId: delivery.properties.messageId,
        contentType: delivery.properties.contentType,
        envelope,
        message: JSON.parse(envelope['oslo.message'] ?? '{}'),
      });
    },
    { noAck: true },
  );

  function resume(options: Wanted = {}): Periodic {
    const notifier = startNotifier({
      store,
      sink: options.sink ?? sink,
      level: options.level ?? 'info',
      ...(options.auditLog === undefined ? {} : { auditLog: options.auditLog }),
      publisherId: 'infra-optim:controller-1',
      instance: options.instance ?? 'one',
      clock: systemClock,
      newUuid: randomUUID,
      logger: silentLogger,
      everyMs: 30,
    });
    running.push(notifier);
    return notifier;
  }

  return {
    store,
    sink,
    received,
    async start(options = {}) {
      const { epoch, newest } = await store.changes.bounds();
      await store.changes.advance('notifications', { epoch, revno: newest });
      return resume(options);
    },
    resume,
    types: () => received.map(({ message }) => message.event_type),
    seen: (count) => expect.poll(() => received.length).toBe(count),
    world: () => insertWorld(store),
    async reset() {
      await Promise.all(running.splice(0).map((one) => one.stop()));
      received.length = 0;
    },
  };
}

async function insertWorld({ db }: Store) {
  const goal = await insertGoal(db);
  const strategy = await insertStrategy(db, goal);
  const audit = await insertAudit(db, strategy, () => ({ parameters: { threshold: 1, admin_password: 'x' } }));
  const plan = await insertActionPlan(db, audit, strategy, () => ({ state: 'PENDING', launchSeq: 1 }));
  const action = await insertAction(db, plan);
  return { goal, strategy, audit, plan, action };
}
