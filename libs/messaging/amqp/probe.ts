import { type IdSource, messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import { BusUnavailableError } from '../errors.ts';
import type { AmqpConnection } from './connection.ts';
import { closeQuietly, openChannel } from './open-channel.ts';

const probeTimeoutMs = 5000;

/** Sends a nonce through a queue of its own. @throws BusUnavailableError with the reason when it does not come back. */
export async function probeBroker(connection: AmqpConnection, newId: IdSource): Promise<void> {
  const late = (): never => {
    throw new BusUnavailableError(`RabbitMQ did not bring a test message back within ${probeTimeoutMs} ms`);
  };
  await withTimeLimit(roundTrip(connection, newId()), probeTimeoutMs, late).catch((error) => {
    throw error instanceof BusUnavailableError ? error : new BusUnavailableError(messageOf(error), { cause: error });
  });
}

async function roundTrip(connection: AmqpConnection, nonce: string): Promise<void> {
  const channel = await openChannel(connection.model());
  try {
    const { queue } = await channel.assertQueue('', { exclusive: true, durable: false, autoDelete: true });
    await new Promise<void>((resolve, reject) => {
      channel.on('close', () => reject(new BusUnavailableError('the channel was closed during the probe')));
      channel
        .consume(queue, (message) => message?.content.toString() === nonce && resolve(), { noAck: true })
        .then(() => channel.sendToQueue(queue, Buffer.from(nonce)))
        .catch(reject);
    });
  } finally {
    await closeQuietly(channel);
  }
}
