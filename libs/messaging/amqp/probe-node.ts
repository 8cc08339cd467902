import { randomUUID } from 'node:crypto';
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { readTlsFiles } from '#libs/service-kit/env';
import { BusUnavailableError } from '../errors.ts';
import { brokerAddress, explainConnectError, parseAmqpUrl } from './connect-errors.ts';
import { closeQuietly } from './open-channel.ts';

/** The client drops a hanging connection after two heartbeats, regardless of the probe. */
const heartbeatSeconds = 5;

/** The address of a broker without user and password. @throws InvalidInputError when it is not an AMQP URL */
export function describeAmqpUrl(url: string): string {
  return brokerAddress(parseAmqpUrl(url));
}

/**
 * Uses one broker as processes do, on a separate connection: a message that must be routed passes the exchange
 * `<prefix>.probe`, is confirmed, and arrives from a queue of this probe with the same nonce.
 * @throws OperatorError when it cannot be reached or refuses the user
 * @throws BusUnavailableError when it does not confirm the message, or returns it changed or not at all
 */
export async function probeAmqpNode(
  url: string,
  { prefix, signal, timeoutMs }: { prefix: string; signal: AbortSignal; timeoutMs: number },
): Promise<void> {
  const parsed = parseAmqpUrl(url);
  parsed.searchParams.set('heartbeat', String(heartbeatSeconds));
  const clientProperties = { connection_name: 'vigil-probe' };
  const tls = readTlsFiles(parsed, 'VIGIL_AMQP_URL');
  const options = { ...tls, timeout: timeoutMs, noDelay: true, clientProperties };
  const model = await connect(parsed.toString(), options).catch((error: unknown) => {
    throw explainConnectError(error, parsed);
  });
  model.on('error', () => undefined);
  try {
    signal.throwIfAborted();
    await sendAndReceive(model, `${prefix}.probe`, signal);
  } finally {
    // Not awaited, since it may hang. The heartbeat ends it.
    const closing = model.close().catch(() => undefined);
    if (!signal.aborted) await closing;
  }
}

async function sendAndReceive(model: ChannelModel, exchange: string, signal: AbortSignal): Promise<void> {
  const channel = await model.createConfirmChannel();
  const nonce = randomUUID();
  try {
    // The exchange is kept: concurrent probes would delete it while others use it.
    await channel.assertExchange(exchange, 'direct', { durable: false, autoDelete: false });
    const { queue } = await channel.assertQueue('', { exclusive: true, durable: false, autoDelete: true });
    await channel.bindQueue(queue, exchange, nonce);
    const received = receive(channel, queue, signal);
    await Promise.race([received, publish(channel, exchange, nonce)]);
    const text = await received;
    if (text !== nonce) throw new BusUnavailableError('RabbitMQ returned another message than was sent');
  } finally {
    if (!signal.aborted) await closeQuietly(channel);
  }
}

function receive(channel: ConfirmChannel, queue: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new BusUnavailableError(reason));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    channel.on('error', (error: Error) => fail(error.message));
    channel.on('close', () => fail('the channel was closed during the probe'));
    channel.on('return', () => fail('RabbitMQ could not route the message of the probe'));
    channel
      .consume(queue, (message) => (message ? resolve(message.content.toString()) : fail('the queue was deleted')), {
        noAck: true,
      })
      .catch(reject);
  });
}

/** Rejects when the broker refuses the message. Otherwise the receiver decides. */
async function publish(channel: ConfirmChannel, exchange: string, nonce: string): Promise<void> {
  channel.publish(exchange, nonce, Buffer.from(nonce), { mandatory: true });
  await channel.waitForConfirms();
}
