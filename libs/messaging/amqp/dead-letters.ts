import type { Channel, GetMessage } from 'amqplib';
import type { DeadLetter } from '../bus.ts';
import type { AmqpConnection } from './connection.ts';
import { amqpHeaders, decodeEnvelope } from './envelopes.ts';
import { closeQuietly, openChannel } from './open-channel.ts';
import type { AmqpNames } from './topology.ts';

/**
 * Looks at the dead letters without taking them: all are fetched and given back when the channel closes. Two who look at
 * the same moment may each see a part only.
 */
export async function readDeadLetters(
  connection: AmqpConnection,
  names: AmqpNames,
  limit: number,
): Promise<DeadLetter[]> {
  const channel = await openChannel(connection.model());
  try {
    const { messageCount } = await channel.checkQueue(names.deadQueue);
    const fetched = await fetchAll(channel, names.deadQueue, messageCount);
    return fetched
      .map(decodeDeadLetter)
      .sort((a, b) => b.at.localeCompare(a.at))
      .slice(0, limit);
  } finally {
    await closeQuietly(channel);
  }
}

/** Fetches in batches, so that the broker has several requests to answer at a time. */
async function fetchAll(channel: Channel, queue: string, count: number): Promise<GetMessage[]> {
  const fetched: GetMessage[] = [];
  while (fetched.length < count) {
    const size = Math.min(100, count - fetched.length);
    const batch = await Promise.all(Array.from({ length: size }, () => channel.get(queue)));
    const found = batch.flatMap((message) => (message === false ? [] : [message]));
    fetched.push(...found);
    if (found.length < size) break;
  }
  return fetched;
}

interface BrokerDeath {
  reason?: string;
  queue?: string;
  time?: { value?: number };
}

/** Most dead letters come from our consumers and carry their reason; some were put aside by the broker itself. */
function decodeDeadLetter(message: GetMessage): DeadLetter {
  const headers = message.properties.headers ?? {};
  const death = (Array.isArray(headers['x-death']) ? headers['x-death'][0] : undefined) as BrokerDeath | undefined;
  const { 'x-delivery-count': _looks, ...ownHeaders } = headers;
  return {
    envelope: decodeEnvelope({ ...message, properties: { ...message.properties, headers: ownHeaders } }),
    queue: String(headers[amqpHeaders.queue] ?? death?.queue ?? ''),
    reason: String(headers[amqpHeaders.reason] ?? `RabbitMQ put it aside: ${death?.reason ?? 'no reason given'}`),
    at: String(headers[amqpHeaders.deadAt] ?? new Date((death?.time?.value ?? 0) * 1000).toISOString()),
  };
}
