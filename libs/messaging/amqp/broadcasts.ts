import type { Channel, ConsumeMessage } from 'amqplib';
import { type JsonObject, type Logger, messageOf } from '#libs/domain';
import type { Consumer } from '../bus.ts';
import type { AmqpConnection } from './connection.ts';
import { decodeBody } from './envelopes.ts';
import { closeQuietly, openChannel } from './open-channel.ts';
import type { AmqpNames } from './topology.ts';

/** Maximum waiting broadcasts of a subscriber. Beyond it, the oldest are dropped. */
const waitingBroadcasts = 10_000;

/** Subscribes with a separate queue that exists while the connection lives. */
export async function subscribeTo(
  connection: AmqpConnection,
  names: AmqpNames,
  logger: Logger,
  topic: string,
  handler: (body: JsonObject) => void,
): Promise<Consumer> {
  let open: Channel | null = null;

  function onBroadcast(content: Buffer): void {
    try {
      const body = decodeBody(content);
      if (body !== null) handler(body);
    } catch (error) {
      logger.warn({ topic, error: messageOf(error) }, 'subscriber failed');
    }
  }

  const detach = await connection.attach(async (model, lost) => {
    const channel = await openChannel(model);
    channel.on('close', lost);
    const { queue } = await channel.assertQueue('', {
      exclusive: true,
      durable: false,
      autoDelete: true,
      arguments: { 'x-max-length': waitingBroadcasts },
    });
    await channel.bindQueue(queue, names.events, topic);
    const onMessage = (message: ConsumeMessage | null): unknown =>
      message === null ? closeQuietly(channel) : onBroadcast(message.content);
    await channel.consume(queue, onMessage, { noAck: true });
    open = channel;
  });

  return {
    async stop() {
      detach();
      if (open !== null) await closeQuietly(open);
    },
  };
}
