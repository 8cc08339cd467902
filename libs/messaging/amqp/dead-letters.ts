import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, GetMessage } from 'amqplib';
import { type Clock, messageOf, VigilError } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import type { DeadLetter, DeadLetters, Envelope } from '../bus.ts';
import { BusUnavailableError } from '../errors.ts';
import type { AmqpConnection } from './connection.ts';
import { amqpHeaders, decodeEnvelope, textOf, timeOf } from './envelopes.ts';
import { closeQuietly, openChannel } from './open-channel.ts';
import type { AmqpNames } from './topology.ts';

const batchSizes = [10, 100];
/** Maximum number of listed dead letters, the oldest first. */
const maxRead = 1000;
/** Time limit in milliseconds until the broker makes returned messages available again. */
const giveBackTimeoutMs = 2000;
/** Pause before another attempt, in milliseconds. Another process may hold the letters while it reads them. */
const againMs = [100, 300, 600];
/** Time limit of one operation on the queue of dead letters, in milliseconds. */
const operationLimitMs = 30_000;

function late(): never {
  throw new BusUnavailableError(`RabbitMQ did not return the dead letters within ${operationLimitMs} ms`);
}

export interface DeadLetterDeps {
  connection: AmqpConnection;
  names: AmqpNames;
  clock: Clock;
  /** Why a message would become a dead letter again. Null when it can be handled. */
  findProblem(envelope: Envelope): string | null;
  /** Sends it to its queue. Returns true, or the reason why it was not stored there. */
  send(envelope: Envelope): Promise<true | string>;
}

/** The dead letters of RabbitMQ. To check them, a process fetches and returns all of them. Processes take turns. */
export function createDeadLetters({ connection, names, clock, findProblem, send }: DeadLetterDeps): DeadLetters {
  let last: Promise<unknown> = Promise.resolve();

  /**
   * One operation at a time: a second one would not see the letters that the first has fetched.
   * @throws BusUnavailableError when the connection is lost or silent.
   */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last
      .then(() => withTimeLimit(work(), operationLimitMs, late))
      .catch((error: unknown) => {
        throw error instanceof VigilError ? error : new BusUnavailableError(messageOf(error), { cause: error });
      });
    last = mine.catch(() => undefined);
    return mine;
  }

  /** Fetches letters, lets `act` remove some, and returns the others. */
  async function withLetters<T>(
    act: (letters: Fetched[], remove: (letter: Fetched) => void) => Promise<T>,
  ): Promise<T> {
    const channel = await openChannel(connection.model());
    try {
      const fetched = (await fetchSome(channel, names.deadQueue)).map((message) => ({
        message,
        letter: decodeDeadLetter(message),
      }));
      let kept = fetched.length;
      const result = await act(fetched, ({ message }) => {
        channel.ack(message);
        kept -= 1;
      });
      if (kept > 0) await giveBack(channel, names.deadQueue, kept);
      return result;
    } finally {
      await closeQuietly(channel);
    }
  }

  /** Removes one letter if `mayGo` allows it. */
  async function take<T>(id: string, mayGo: (letter: DeadLetter) => Promise<T>): Promise<T | false> {
    for (const pauseMs of [...againMs, null]) {
      const result = await inTurn(() =>
        withLetters(async (fetched, remove) => {
          const found = fetched.find(({ letter }) => letter.id === id);
          if (!found) return false;
          const verdict = await mayGo(found.letter);
          if (verdict === true) remove(found);
          return verdict;
        }),
      );
      if (result !== false || pauseMs === null) return result;
      await sleep(pauseMs);
    }
    return false;
  }

  return {
    deadLetters: (limit) =>
      inTurn(() =>
        withLetters(async (fetched) =>
          fetched
            .map(({ letter }) => letter)
            .sort((a, b) => b.at.localeCompare(a.at))
            .slice(0, limit),
        ),
      ),

    deadLetterCount: () =>
      inTurn(async () => {
        const channel = await openChannel(connection.model());
        try {
          return (await channel.checkQueue(names.deadQueue)).messageCount;
        } finally {
          await closeQuietly(channel);
        }
      }),

    redriveDeadLetter: (id) =>
      take<true | { refused: string }>(id, async ({ envelope }) => {
        const problem = findProblem(envelope);
        if (problem !== null) return { refused: problem };
        const sent = await send({ ...envelope, attempt: 0, timestamp: new Date(clock.now()).toISOString() });
        if (sent !== true) throw new BusUnavailableError(sent);
        return true;
      }),

    discardDeadLetter: (id) => take<true>(id, async () => true),
  };
}

interface Fetched {
  message: GetMessage;
  letter: DeadLetter;
}

/** Fetches in batches, so that the broker has several requests at a time, until a batch is incomplete. */
async function fetchSome(channel: Channel, queue: string): Promise<GetMessage[]> {
  const fetched: GetMessage[] = [];
  for (let round = 0; fetched.length < maxRead; round += 1) {
    const size = Math.min(batchSizes[Math.min(round, batchSizes.length - 1)]!, maxRead - fetched.length);
    const batch = await Promise.all(Array.from({ length: size }, () => channel.get(queue)));
    fetched.push(...batch.flatMap((message) => (message === false ? [] : [message])));
    if (batch.includes(false)) break;
  }
  return fetched;
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

/** Most dead letters come from Vigil's consumers and have a reason. Some were dead-lettered by the broker. */
function decodeDeadLetter(message: GetMessage): DeadLetter {
  const headers = message.properties.headers ?? {};
  const death = (Array.isArray(headers['x-death']) ? headers['x-death'][0] : undefined) as BrokerDeath | undefined;
  const { 'x-delivery-count': _looks, ...ownHeaders } = headers;
  const envelope = decodeEnvelope({ ...message, properties: { ...message.properties, headers: ownHeaders } });
  const queue = textOf(headers[amqpHeaders.queue] ?? death?.queue);
  const at = textOf(headers[amqpHeaders.deadAt] ?? timeOf(death?.time?.value));
  const reason = textOf(headers[amqpHeaders.reason] ?? `RabbitMQ put it aside: ${death?.reason ?? 'no reason given'}`);
  return { id: idOf([envelope.messageId, queue, at], message.content), envelope, queue, reason, at };
}

/** AMQP has no name for a message in a queue. */
function idOf(parts: readonly string[], content: Buffer): string {
  return createHash('sha256').update(parts.join('\n')).update(content).digest('hex').slice(0, 32);
}
