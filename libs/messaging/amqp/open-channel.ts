import type { Channel, ChannelModel } from 'amqplib';

/** A channel whose errors do not end the process: the callers that wait for its responses receive them. */
export async function openChannel(model: ChannelModel): Promise<Channel> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined);
  return channel;
}

/** Closes a channel that may be closed already. */
export async function closeQuietly(channel: Channel): Promise<void> {
  await Promise.resolve()
    .then(() => channel.close())
    .catch(() => undefined);
}

/** A consumer with its own channel. */
export interface OpenConsumer {
  channel: Channel;
  tag: string;
}

/** Starts to consume on a channel, which is closed when that fails. */
export async function openConsumer(
  channel: Channel,
  begin: () => Promise<{ consumerTag: string }>,
): Promise<OpenConsumer> {
  try {
    return { channel, tag: (await begin()).consumerTag };
  } catch (error) {
    void closeQuietly(channel);
    throw error;
  }
}

/**
 * Ends a consumer that may have ended already: no more deliveries arrive, current ones are finished (`idle`), then its
 * channel closes.
 */
export async function endConsumer(open: OpenConsumer | null, idle: () => Promise<unknown>): Promise<void> {
  if (open !== null) await open.channel.cancel(open.tag).catch(() => undefined);
  await idle();
  if (open !== null) await closeQuietly(open.channel);
}
