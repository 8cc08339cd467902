import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { type IdSource, type JsonObject, type Logger, messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import type { Consumer, RequestHandler } from '../bus.ts';
import { BusUnavailableError, NoResponderError, RequestTimeoutError } from '../errors.ts';
import { handleRequest, readResponse } from '../remote-response.ts';
import { createRunningHandlers } from '../running-handlers.ts';
import type { AmqpConnection } from './connection.ts';
import { decodeBody } from './envelopes.ts';
import { closeQuietly, endConsumer, type OpenConsumer, openChannel, openConsumer } from './open-channel.ts';
import type { Publisher } from './publisher.ts';
import type { AmqpNames } from './topology.ts';
import { createQueueOpener, type QueueOpenerOptions } from './unreadable-queue.ts';

const replyQueue = 'amq.rabbitmq.reply-to';
/** A request queue without a consumer expires after this many milliseconds. */
const requestQueueExpiresMs = 300_000;
const concurrentResponses = 16;

interface Waiting {
  resolve(answer: JsonObject): void;
  reject(error: Error): void;
}

export interface Requester {
  request(topic: string, body: JsonObject, options: { timeoutMs: number }): Promise<JsonObject>;
}

/** Sends requests with RabbitMQ's direct reply-to. It needs no reply queue, and drops replies to ended clients. */
export async function createRequester(
  connection: AmqpConnection,
  names: AmqpNames,
  newId: IdSource,
): Promise<Requester> {
  const waiting = new Map<string, Waiting>();
  let current: Channel | null = null;

  await connection.attach(async (model, lost) => {
    const channel = await openChannel(model);
    channel.on('close', () => {
      lost();
      if (current === channel) current = null;
      const error = new BusUnavailableError('the connection was lost while waiting for a response');
      for (const entry of [...waiting.values()]) entry.reject(error);
    });
    await channel.consume(
      replyQueue,
      (message) => {
        if (message === null) return;
        waiting.get(String(message.properties.correlationId))?.resolve(decodeBody(message.content) ?? {});
      },
      { noAck: true },
    );
    current = channel;
  });

  /** The queue outlives its consumers for some time, so its existence does not prove a responder. */
  async function hasResponder(topic: string): Promise<boolean> {
    const channel = await openChannel(connection.model());
    try {
      return (await channel.checkQueue(names.requestQueue(topic))).consumerCount > 0;
    } catch (error) {
      if (messageOf(error).includes('404')) return false;
      throw new BusUnavailableError(messageOf(error), { cause: error });
    } finally {
      await closeQuietly(channel);
    }
  }

  return {
    async request(topic, body, { timeoutMs }) {
      const id = newId();
      const response = new Promise<JsonObject>((resolve, reject) => waiting.set(id, { resolve, reject }));
      const late = () => {
        throw new RequestTimeoutError(topic, timeoutMs);
      };
      async function ask(): Promise<void> {
        if (!(await hasResponder(topic))) throw new NoResponderError(topic);
        const blocked = connection.blocked();
        if (blocked !== null) throw new BusUnavailableError(blocked);
        if (current === null) throw new BusUnavailableError('the request channel is closed');
        current.publish('', names.requestQueue(topic), Buffer.from(JSON.stringify(body)), {
          contentType: 'application/json',
          replyTo: replyQueue,
          correlationId: id,
          expiration: timeoutMs,
        });
      }
      try {
        // Only one of the two may stay unobserved: the one that can only fail by being late.
        ask().catch((error) => waiting.get(id)?.reject(error));
        return readResponse(topic, await withTimeLimit(response, timeoutMs, late));
      } finally {
        waiting.delete(id);
      }
    },
  };
}

/** Receives requests on one connection and sends the responses on another. */
export interface ResponderDeps {
  connection: AmqpConnection;
  publisher: Publisher;
  names: AmqpNames;
  logger: Logger;
  /** Time after which an unreadable queue is created again, in milliseconds, and the unreadable queues. */
  reading: Pick<QueueOpenerOptions, 'unreadableMs' | 'unreadable'>;
}

/** Serves requests on a topic. Requests are not kept when the responder dies, because the caller has a time limit. */
export async function respondTo(deps: ResponderDeps, topic: string, handler: RequestHandler): Promise<Consumer> {
  const { connection, publisher, names } = deps;
  const queue = names.requestQueue(topic);
  const logger = deps.logger.child({ queue });
  const running = createRunningHandlers(concurrentResponses, (error) =>
    logger.info({ error: messageOf(error) }, 'cannot send response'),
  );
  let open: OpenConsumer | null = null;

  async function answer(message: ConsumeMessage): Promise<void> {
    const reply = await handleRequest(handler, decodeBody(message.content));
    const sent = await publisher.send('', String(message.properties.replyTo), Buffer.from(JSON.stringify(reply)), {
      contentType: 'application/json',
      correlationId: String(message.properties.correlationId),
      mandatory: false,
    });
    if (sent !== true) logger.info({ error: sent }, 'cannot send response');
  }

  async function declare(model: ChannelModel): Promise<void> {
    const channel = await openChannel(model);
    const queueArguments = { 'x-queue-type': 'quorum', 'x-expires': requestQueueExpiresMs };
    await channel.assertQueue(queue, { durable: true, arguments: queueArguments });
    await channel.close();
  }

  const opener = createQueueOpener({ queue, declare, connection, logger, ...deps.reading });
  const detach = await connection.attach(async (model, lost) => {
    const channel = await openChannel(model);
    channel.on('close', lost);
    const take = (message: ConsumeMessage | null) =>
      running.run(() => (message === null ? closeQuietly(channel) : answer(message)));
    open = await openConsumer(channel, () =>
      opener.open(model, async () => {
        await declare(model);
        return channel.consume(queue, take, { noAck: true });
      }),
    );
  });

  return {
    async stop() {
      detach();
      opener.forget();
      await endConsumer(open, running.idle);
    },
  };
}
