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

/** Exchange and routing key for an unacknowledged message. */
export interface Destination {
  envelope: Envelope;
  exchange: string;
  key: string;
  headers: Record<string, string>;
}

/** Longest pause before a failed forwarding is retried, in milliseconds. */
const longestPauseMs = 60_000;

/**
 * Forwards a message to another exchange. Returns whether the broker has it. Keeps the message while that fails: a
 * return to the queue would count as a delivery and cause a second handling. Logs each failure with its reason, such
 * as a queue without members, until an operator has repaired it.
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
