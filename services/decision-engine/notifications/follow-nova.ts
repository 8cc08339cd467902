import type { Logger } from '#libs/domain';
import { consumeNotifications } from '#libs/messaging/amqp';
import type { Metrics } from '#libs/service-kit';
import type { ModelKeeper } from '../model/model-keeper.ts';
import { createEventApplier } from './event-applier.ts';

/** Pause before the model is collected because of an event, in milliseconds: one collection serves those that come together. */
const resyncDelayMs = 2000;
/** Any picture is good enough, if there is one: what is stale has been taken away. */
const anyAge = Number.MAX_SAFE_INTEGER;

/**
 * Keeps the compute model in step with Nova's versioned notifications. What an event does not tell fully has the model
 * collected anew, and so does every new connection, because of what was missed. Instances and hosts of all cells are told
 * apart by uuid and service host, so several cells need nothing of their own.
 */
export async function followNova(
  { model, logger, metrics }: { model: ModelKeeper; logger: Logger; metrics: Metrics },
  source: { url: string; topics: readonly string[]; appId: string },
): Promise<{ stop(): Promise<void> }> {
  const events = metrics.counter('vigil_model_events_total', 'Notifications of Nova by what became of them', [
    'result',
  ]);
  const followed = metrics.gauge('vigil_model_followed', '1 while the notifications of Nova are followed');
  let timer: NodeJS.Timeout | undefined;

  function resyncSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      model.fresh(anyAge).catch((error: unknown) => logger.warn({ error }, 'the model could not be collected anew'));
    }, resyncDelayMs);
  }

  function setFollowed(isFollowed: boolean): void {
    followed.set(isFollowed ? 1 : 0);
    model.setFollowed(isFollowed);
  }

  const apply = createEventApplier({
    logger,
    onResult(result) {
      events.inc({ result });
      if (result === 'resync') resyncSoon();
    },
  });
  const consumer = await consumeNotifications({
    ...source,
    logger,
    onNotification: (message) => model.change((snapshot) => apply(snapshot, message)),
    onSubscribed() {
      model.change(() => null);
      setFollowed(true);
      resyncSoon();
    },
    onLost: () => setFollowed(false),
  });
  return {
    async stop() {
      clearTimeout(timer);
      await consumer.stop();
    },
  };
}
