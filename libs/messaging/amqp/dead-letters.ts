import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, GetMessage } from 'amqplib';
import type { DeadLetter } from '../bus.ts';
import type { AmqpConnection } from './connection.ts';
import { amqpHeaders, decodeEnvelope } from './envelopes.ts';
import { closeQuietly, openChannel } from './open-channel.ts';
import type { AmqpNames } from './topology.ts';

const batchSizes = [10, 100];
/** The broker takes a moment to make messages available again that were given back; waited for at most, in ms. */
const giveBackTimeoutMs = 2000;

/**
 * Looks at the dead letters without taking them: all are fetched and given back. Two processes that look at the same
 * moment may each see a part only.
 */
export async function readDeadLetters(
  connection: AmqpConnection,
  names: AmqpNames,
  limit: number,
): Promise<DeadLetter[]> {
  const channel = await openChannel(connection.model());
  try {
    const fetched = await fetchAll(channel, names.deadQueue);
    if (fetched.length > 0) await giveBack(channel, names.deadQueue, fetched.length);
    return fetched
      .map(decodeDeadLetter)
      .sort((a, b) => b.at.localeCompare(a.at))
      .slice(0, limit);
  } finally {
    await closeQuietly(channel);
  }
}

/** Fetches in batches, so that the broker has several requests to answer at a time, until one is not filled. */
async function fetchAll(channel: Channel, queue: string): Promise<GetMessage[]> {
  const fetched: GetMessage[] = [];
  for (let round = 0; ; round += 1) {
    const size = batchSizes[Math.min(round, batchSizes.length - 1)]!;
    const batch = await Promise.all(Array.from({ length: size }, () => channel.get(queue)));
    fetched.push(...batch.flatMap((message) => (message === false ? [] : [message])));
    if (batch.includes(false)) return fetched;
  }
}

async function giveBack(channel: Channel, queue: string, count: number): Promise<void> {
  channel.nackAll(true);
  const deadline = performance.now() + giveBackTimeoutMs;
  while (performance.now() < deadline) {
    const { messageCount } = await channel.checkQueue(queue);
    if (messageCount >= count) return;
    await sleep(5);
  }
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
