import type { JsonObject, Logger } from '#libs/domain';
import { consumeNotifications } from '#libs/messaging/amqp';
import type { ModelName } from '#libs/plugin-kit';
import type { Metrics } from '#libs/service-kit';
import type { ModelChange, ModelKeeper, Picture } from '../model/model-keeper.ts';

/**
 * Pause before the model is collected because of an event, in milliseconds: one collection serves those that come
 * together.
 */
const resyncDelayMs = 2000;
/** Pause before a model is collected again during an operation that sends no events, in milliseconds. */
const checkAgainMs = 30_000;
/** Any existing model is sufficient: stale models are removed. */
const anyAge = Number.MAX_SAFE_INTEGER;

/** Where notifications come from. */
export interface NotificationSource {
  /** Brokers that have them: one for the cloud, or one for each cell. */
  urls: readonly string[];
  /** `<exchange>.<topic>` each. */
  topics: readonly string[];
  appId: string;
}

/**
 * Keeps a model in step with notifications. It collects the model again after an event with incomplete data, and after
 * every new connection, since events may have been missed. It repeats the collection until no operation is in progress.
 * With several brokers the model is followed while all of them are connected: uuids and service hosts distinguish the
 * instances and hosts of all cells.
 */
export async function followNotifications<Snapshot extends Picture>(
  deps: {
    /** Label of its metrics. */
    name: ModelName | 'ports';
    model: ModelKeeper<Snapshot>;
    /** Applies one notification to the model. Null when it must be collected again. `onResult` receives the result. */
    createApplier(onResult: (result: string) => void): (snapshot: Snapshot, message: JsonObject) => Snapshot | null;
    /** Receives each notification immediately, while the model may wait for a collection. */
    onNotification?(message: JsonObject): void;
    /** Called at every new connection, before the model is collected again. */
    onSubscribed?(): void;
    logger: Logger;
    metrics: Metrics;
    /** Milliseconds until a model with ongoing unreported changes is collected again. Default 30 s. */
    checkAgainMs?: number;
  },
  source: NotificationSource,
): Promise<{ stop(): Promise<void> }> {
  const { name, model, logger, metrics } = deps;
  const events = metrics.counter('vigil_model_events_total', 'Notifications by the model and by their result', [
    'model',
    'result',
  ]);
  const followed = metrics.gauge('vigil_model_followed', '1 while the notifications for a model are followed', [
    'model',
  ]);
  const connected = new Set<number>();
  let resync: NodeJS.Timeout | undefined;
  let secondRead: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function collect(maxAgeMs: number): Promise<void> {
    try {
      const snapshot = await model.fresh(maxAgeMs);
      if (!isStopped && !model.isAtRest(snapshot)) checkAgain();
      logger.info({ model: name }, `${name} model in sync with its notifications`);
    } catch (error) {
      logger.warn({ error, model: name }, 'cannot collect model');
    }
  }

  function resyncSoon(): void {
    resync ??= setTimeout(() => {
      resync = undefined;
      void collect(anyAge);
    }, resyncDelayMs);
  }

  function checkAgain(): void {
    secondRead ??= setTimeout(() => {
      secondRead = undefined;
      void collect(0);
    }, deps.checkAgainMs ?? checkAgainMs);
  }

  function setConnected(broker: number, isConnected: boolean): void {
    if (isConnected) connected.add(broker);
    else connected.delete(broker);
    const all = connected.size === source.urls.length;
    followed.set({ model: name }, all ? 1 : 0);
    model.setFollowed(all);
  }

  const apply = deps.createApplier((result) => {
    events.inc({ model: name, result });
    if (result === 'resync') resyncSoon();
  });
  const change =
    (message: JsonObject): ModelChange<Snapshot> =>
    (snapshot) =>
      apply(snapshot, message);
  const consumers = await Promise.all(
    source.urls.map((url, broker) =>
      consumeNotifications({
        url,
        topics: source.topics,
        appId: source.appId,
        logger,
        onNotification(message) {
          deps.onNotification?.(message);
          model.change(change(message));
        },
        onSubscribed() {
          deps.onSubscribed?.();
          model.change(() => null);
          setConnected(broker, true);
          resyncSoon();
        },
        onLost: () => setConnected(broker, false),
      }),
    ),
  );
  return {
    async stop() {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      isStopped = true;
      clearTimeout(resync);
      clearTimeout(secondRead);
    },
  };
}
