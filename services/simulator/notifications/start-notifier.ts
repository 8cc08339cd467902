import type { Clock, IdSource, Logger } from '#libs/domain';
import { createNotificationExchange } from '#libs/messaging/amqp';
import type { SimulatedEvent } from './change-detector.ts';

const checkEveryMs = 200;

/**
 * Sends events of the cloud as notifications of one of its services, in the envelope of oslo.messaging. It compares the
 * cloud several times a second, so shorter changes are not sent.
 */
export async function startNotifier(
  deps: { changes(): SimulatedEvent[]; clock: Clock; newUuid: IdSource; logger: Logger },
  options: { url: string; topic: string; service: 'nova' | 'cinder' | 'neutron' },
): Promise<{ stop(): Promise<void> }> {
  const { changes, clock, newUuid, logger } = deps;
  const at = options.topic.indexOf('.');
  const exchange = await createNotificationExchange({
    url: options.url,
    logger,
    appId: `simulated-${options.service}`,
    exchange: options.topic.slice(0, Math.max(0, at)) || options.topic,
  });
  const routingKey = `${options.topic.slice(at + 1)}.info`;

  async function send(event: SimulatedEvent): Promise<void> {
    const messageId = newUuid();
    const message = {
      message_id: messageId,
      publisher_id: event.publisher,
      event_type: event.eventType,
      priority: 'INFO',
      timestamp: new Date(clock.now()).toISOString(),
      payload: event.payload,
    };
    const content = Buffer.from(JSON.stringify({ 'oslo.version': '2.0', 'oslo.message': JSON.stringify(message) }));
    const sent = await exchange.send({ messageId, routingKey, content });
    if (sent !== true) logger.warn({ event: event.eventType, reason: sent }, 'cannot send notification');
  }

  const timer = setInterval(() => {
    for (const event of changes()) void send(event);
  }, checkEveryMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await exchange.close();
    },
  };
}
