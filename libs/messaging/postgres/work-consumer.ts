import { type IdSource, type Logger, messageOf } from '#libs/domain';
import { retry } from '#libs/service-kit';
import type { Consumer, Handler } from '../bus.ts';
import type { BusMetrics } from '../bus-metrics.ts';
import type { MessageDefinition } from '../catalogue/message-definition.ts';
import type { DeliveryRules } from '../delivery.ts';
import { handleDelivery } from '../handle-delivery.ts';
import { createRunningHandlers } from '../running-handlers.ts';
import type { Listener } from './listener.ts';
import type { ClaimedMessage, WorkQueue } from './work-queue.ts';

export interface WorkConsumerDeps {
  work: WorkQueue;
  listener: Listener;
  rules: DeliveryRules;
  newId: IdSource;
  logger: Logger;
  metrics: BusMetrics;
  /** Longest pause between two polls of the queue, in milliseconds. */
  pollMs: number;
  /** Time for which a message stays hidden when its consumer dies, in milliseconds. */
  visibilityMs: number;
}

const retryClaimMs = 500;
/** More than 2.2 s in total: short failures of the database must not cause a second delivery. */
const settling = { tries: 5, pauses: { firstMs: 150, longestMs: 1200 } };

/** Consumes one queue. Woken by notifications, when a message becomes due, and by polling. */
export async function consumeWork(
  deps: WorkConsumerDeps,
  queue: string,
  definition: MessageDefinition,
  handler: Handler,
  prefetch: number,
): Promise<Consumer & { abandon(): void }> {
  const { work, visibilityMs } = deps;
  const logger = deps.logger.child({ queue });
  const held = new Set<ClaimedMessage>();
  const running = createRunningHandlers(prefetch, (error) =>
    logger.info({ error: messageOf(error) }, 'cannot settle message, it will be redelivered'),
  );
  let stopped = false;
  const poll = createQueuePoll(takeDue, logger);

  async function handle(message: ClaimedMessage): Promise<void> {
    try {
      await handleDelivery({ ...deps, definition, handler, logger }, message.envelope, {
        ack: () => retry(() => work.remove(message), settling),
        again: ({ seconds, counts }, reason) =>
          retry(() => work.delay(message, { ms: seconds * 1000, counts }, reason), settling),
        bury: (reason) => retry(() => work.bury(message, reason), settling),
      });
    } finally {
      held.delete(message);
      poll.check();
    }
  }

  /** Claims due messages. Returns the milliseconds until the next one is due. Null while no more may be claimed. */
  async function takeDue(): Promise<number | null> {
    while (!stopped && held.size < prefetch) {
      const messages = await work.claim(queue, prefetch - held.size, deps.newId(), visibilityMs);
      for (const message of messages) {
        held.add(message);
        running.run(() => handle(message));
      }
      if (messages.length === 0) return Math.min(deps.pollMs, (await work.nextDueMs(queue)) ?? deps.pollMs);
    }
    return null;
  }

  const renewal = setInterval(() => {
    if (held.size === 0) return;
    work
      .extend([...held], visibilityMs)
      .catch((error) => logger.info({ error: messageOf(error) }, 'cannot extend visibility of running messages'));
  }, visibilityMs / 3);
  renewal.unref();

  const off = deps.listener.on('work', ({ name }) => name === queue && poll.check());
  const detach = await deps.listener.attach(async () => poll.check());
  poll.check();

  function abandon(): void {
    stopped = true;
    off();
    detach();
    void poll.stop();
    clearInterval(renewal);
  }

  return {
    abandon,
    async stop() {
      stopped = true;
      off();
      detach();
      await poll.stop();
      await running.idle();
      clearInterval(renewal);
    },
  };
}

/**
 * Polls a queue at each `check`, and when the next message is due. Polls do not overlap: a check during one causes
 * another.
 */
function createQueuePoll(takeDue: () => Promise<number | null>, logger: Logger) {
  let polling: Promise<void> | null = null;
  let checkAgain = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function setAlarm(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(check, Math.ceil(ms));
  }

  async function poll(): Promise<void> {
    try {
      const nextMs = await takeDue();
      if (nextMs !== null) setAlarm(nextMs);
    } catch (error) {
      logger.info({ error: messageOf(error) }, 'cannot read queue, retrying');
      setAlarm(retryClaimMs);
    }
  }

  function check(): void {
    if (polling !== null) {
      checkAgain = true;
      return;
    }
    if (stopped) return;
    polling = poll().finally(() => {
      polling = null;
      if (checkAgain) {
        checkAgain = false;
        check();
      }
    });
  }

  return {
    check,
    /** Starts no further poll. Resolves when the current one has ended. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await polling;
    },
  };
}
