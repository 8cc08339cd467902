import type { Channel, ChannelModel } from 'amqplib';
import { withTimeLimit } from '#libs/service-kit';

const closeLimitMs = 10_000;

/** A channel whose errors do not end the process: callers that wait for its responses receive them. */
export async function openChannel(model: ChannelModel): Promise<Channel> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined);
  return channel;
}

/** Closes a channel that may already be closed. Does not wait for a silent broker, which would take 10 s. */
export async function closeQuietly(channel: Channel): Promise<void> {
  // The driver never settles a close when the connection is lost during it.
  const lost = new Promise((resolve) => channel.once('close', resolve));
  const closing = Promise.resolve()
    .then(() => channel.close())
    .catch(() => undefined);
  await withTimeLimit<unknown>(Promise.race([closing, lost]), closeLimitMs, () => undefined);
}

/** A consumer with a separate channel. */
export interface OpenConsumer {
  channel: Channel;
  tag: string;
}

/** Starts a consumer on a channel. Closes the channel when that fails. */
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
 * Ends a consumer that may have ended already: no more deliveries arrive, current ones finish (`idle`), then its
 * channel closes.
 */
export async function endConsumer(open: OpenConsumer | null, idle: () => Promise<unknown>): Promise<void> {
  if (open !== null) await open.channel.cancel(open.tag).catch(() => undefined);
  await idle();
  if (open !== null) await closeQuietly(open.channel);
}
