import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#libs/domain';
import type { Envelope } from '../bus.ts';
import { encodeEnvelope } from './envelopes.ts';
import type { Publisher } from './publisher.ts';

export interface PassOnDeps {
  publisher: Publisher;
  appId: string;
  logger: Logger;
  /** First pause before the message is sent again, in milliseconds. Doubles each time, up to one minute. */
  retryMs: number;
  /** Ends the attempts. */
  stop: AbortSignal;
  /** Whether the channel of the delivery has closed, so that the queue has the message again. */
  isClosed(): boolean;
}

/** Exchange and routing key for a message that was not acknowledged. */
export interface Destination {
  envelope: Envelope;
  exchange: string;
  key: string;
  headers: Record<string, string>;
}

/** Longest pause before a message that cannot be passed on is sent again, in milliseconds. */
const longestPauseMs = 60_000;

/**
 * Passes a message on to another exchange. Returns whether the broker has it. While that fails the message is kept:
 * giving it back would count as a delivery, and it would be worked on again. Each failure is logged with its reason,
 * such as a queue that has lost its members, until an operator has mended it.
 */
export function createPassOn(deps: PassOnDeps): (to: Destination) => Promise<boolean> {
  const { publisher, logger, stop } = deps;
  return async (to) => {
    const { content, options } = encodeEnvelope(to.envelope, deps.appId, to.headers);
    const fields = { messageId: to.envelope.messageId, exchange: to.exchange };
    for (let [tries, pauseMs] = [1, deps.retryMs]; ; tries += 1) {
      const result = await publisher.send(to.exchange, to.key, content, options);
      if (result === true) return true;
      if (stop.aborted || deps.isClosed()) return false;
      const seconds = pauseMs / 1000;
      logger.warn({ ...fields, error: result, tries, seconds }, 'cannot forward message, retrying');
      await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    }
  };
}
