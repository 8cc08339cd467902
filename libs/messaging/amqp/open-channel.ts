import type { Channel, ChannelModel } from 'amqplib';

/** A channel whose errors do not end the process: whoever waits for one of its answers gets them. */
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
