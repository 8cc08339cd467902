import type { ConfirmChannel, Message, Options } from 'amqplib';
import { type Logger, messageOf } from '#libs/domain';
import type { AmqpConnection } from './connection.ts';

/** Sends messages and waits for the broker's confirm. */
export interface Publisher {
  /**
   * Resolves with true when every queue of the route has stored the message, otherwise with the reason (no route,
   * refused, no connection, no confirm in time, the broker is short of memory or disk). Never rejects.
   */
  send(exchange: string, key: string, content: Buffer, options: Options.Publish): Promise<true | string>;
}

const publishIdHeader = 'x-publish-id';

interface Pending {
  settle(result: true | string): void;
  returned: boolean;
}

/** @param timeoutMs time limit for a confirm. */
export async function createPublisher(
  connection: AmqpConnection,
  logger: Logger,
  options: { timeoutMs: number },
): Promise<Publisher> {
  const pending = new Map<number, Pending>();
  let current: ConfirmChannel | null = null;
  let nextId = 0;

  function onReturn(message: Message): void {
    const entry = pending.get(Number(message.properties.headers?.[publishIdHeader]));
    if (entry !== undefined) entry.returned = true;
  }

  function onClose(channel: ConfirmChannel): void {
    if (current === channel) current = null;
    for (const entry of [...pending.values()]) entry.settle('the channel was closed before RabbitMQ confirmed');
  }

  await connection.attach(async (model, lost) => {
    const channel = await model.createConfirmChannel();
    channel.on('error', (error) => logger.info({ error: messageOf(error) }, 'publishing channel failed'));
    channel.on('return', onReturn);
    channel.on('close', () => {
      onClose(channel);
      lost();
    });
    current = channel;
  });

  function openChannelOrReason(): ConfirmChannel | string {
    try {
      connection.model();
    } catch (error) {
      return messageOf(error);
    }
    // Messages for a blocked connection would wait in its buffers, and arrive later with all retries.
    return connection.blocked() ?? current ?? 'the publishing channel is closed';
  }

  return {
    send(exchange, key, content, publishOptions) {
      const channel = openChannelOrReason();
      if (typeof channel === 'string') return Promise.resolve(channel);
      nextId += 1;
      const id = nextId;
      return new Promise((resolve) => {
        const late = `RabbitMQ did not confirm within ${options.timeoutMs} ms`;
        const timer = setTimeout(() => entry.settle(late), options.timeoutMs);
        const entry: Pending = {
          returned: false,
          settle(result) {
            if (!pending.delete(id)) return;
            clearTimeout(timer);
            resolve(result);
          },
        };
        pending.set(id, entry);
        const headers = { ...publishOptions.headers, [publishIdHeader]: id };
        const onConfirm = (error: unknown): void => {
          if (entry.returned) entry.settle(`no queue is bound to ${exchange} for ${key}`);
          else entry.settle(error ? `RabbitMQ did not confirm the message: ${messageOf(error)}` : true);
        };
        try {
          channel.publish(exchange, key, content, { mandatory: true, ...publishOptions, headers }, onConfirm);
        } catch (error) {
          entry.settle(messageOf(error));
        }
      });
    },
  };
}
