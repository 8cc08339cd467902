import type { ChannelModel } from 'amqplib';
import { type Logger, messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import { BusUnavailableError } from '../errors.ts';
import type { AmqpConnection } from './connection.ts';
import { closeQuietly, openChannel } from './open-channel.ts';

/** Starts to consume one queue, and detects when it cannot be read. */
export interface QueueOpener {
  /** Runs `consume` within its time limit. Rejects with its errors. Recreates a permanently unreadable queue first. */
  open<Result>(model: ChannelModel, consume: () => Promise<Result>): Promise<Result>;
  /** Must be called when the last reader of the queue has left. */
  forget(): void;
}

export interface QueueOpenerOptions {
  queue: string;
  /** Declares the missing queues. */
  declare(model: ChannelModel): Promise<void>;
  /** Has the error that ended a connection. */
  connection: Pick<AmqpConnection, 'errorOf'>;
  logger: Logger;
  /** Maximum time in which it may be unreadable, in milliseconds. */
  unreadableMs: number;
  /** Names of the currently unreadable queues, of all openers of a bus. */
  unreadable: Set<string>;
}

/** RabbitMQ's INTERNAL-ERROR. With it RabbitMQ closes a connection that reads a queue without a member. */
const internalError = 541;
const consumeLimitMs = 30_000;
const fewestFailures = 3;

/**
 * A quorum queue can lose its members, for example when RabbitMQ 3.10 was killed or copied. The broker still lists it,
 * refuses every message for it, and closes each connection that reads it, so the process cannot read its other queues.
 * After several consecutive failures, over `unreadableMs`, it is deleted and declared again. Its messages are lost.
 * They are only hints, and the pollers find the requested work.
 */
export function createQueueOpener(options: QueueOpenerOptions): QueueOpener {
  const { queue, declare, connection, logger, unreadableMs, unreadable } = options;
  let failures = 0;
  let since = 0;

  async function makeAnew(model: ChannelModel): Promise<void> {
    const seconds = Math.round((performance.now() - since) / 1000);
    logger.error({ failures, seconds }, 'RabbitMQ lists this queue but cannot read it; queue recreated, messages lost');
    const channel = await openChannel(model);
    await withinLimit(channel.deleteQueue(queue), 'delete');
    await closeQuietly(channel);
    await declare(model);
    failures = 0;
  }

  function withinLimit<Result>(work: Promise<Result>, what: string): Promise<Result> {
    const late = (): never => {
      throw new BusUnavailableError(`RabbitMQ did not ${what} the queue ${queue} within ${consumeLimitMs} ms`);
    };
    return withTimeLimit(work, consumeLimitMs, late);
  }

  return {
    async open(model, consume) {
      if (failures >= fewestFailures && performance.now() - since >= unreadableMs) await makeAnew(model);
      try {
        const response = await withinLimit(consume(), 'open');
        failures = 0;
        unreadable.delete(queue);
        return response;
      } catch (error) {
        // A connection that is lost during this says nothing about the queue.
        if (connection.errorOf(model)?.code === internalError || error instanceof BusUnavailableError) {
          failures += 1;
          unreadable.add(queue);
          if (failures === 1) since = performance.now();
          logger.warn({ failures, error: messageOf(error) }, 'RabbitMQ cannot read this queue');
        }
        throw error;
      }
    },
    forget: () => void unreadable.delete(queue),
  };
}
