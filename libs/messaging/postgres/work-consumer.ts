import { setTimeout as sleep } from 'node:timers/promises';
import { type IdSource, type Logger, messageOf } from '#libs/domain';
import type { Consumer, Handler } from '../bus.ts';
import type { BusMetrics } from '../bus-metrics.ts';
import type { MessageDefinition } from '../catalogue/message-definition.ts';
import { type Decision, type DeliveryRules, deliver, retryDelaySeconds } from '../delivery.ts';
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
  /** How long a message stays hidden when its consumer dies, in milliseconds. */
  visibilityMs: number;
}

const retryClaimMs = 500;
const settleTries = 4;

/** Consumes one queue: woken by notifications, by the time at which a message becomes due, and by polling. */
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
    logger.info({ error: messageOf(error) }, 'a message could not be settled and will be delivered again'),
  );
  let stopped = false;
  let looking: Promise<void> | null = null;
  let checkAgain = false;
  let timer: NodeJS.Timeout | undefined;

  async function carryOut(verdict: Decision, message: ClaimedMessage): Promise<void> {
    const { messageId, type, attempt } = message.envelope;
    const fields = { messageId, type, attempt };
    if (verdict.kind === 'ack') {
      await settle(() => work.remove(message));
    } else if (verdict.kind === 'retry' || verdict.kind === 'leave') {
      const counts = verdict.kind === 'retry';
      const seconds = retryDelaySeconds(definition, counts ? attempt : 0);
      logger.info({ ...fields, reason: verdict.reason, seconds }, 'a message will be delivered again');
      await settle(() => work.delay(message, { ms: seconds * 1000, counts }, verdict.reason));
    } else {
      logger.warn({ ...fields, reason: verdict.reason }, 'a message goes to the dead letters');
      await settle(() => work.bury(message, verdict.reason));
    }
  }

  async function handle(message: ClaimedMessage): Promise<void> {
    try {
      const startedAt = performance.now();
      const verdict = await deliver(deps.rules, definition, handler, message.envelope);
      deps.metrics.handled(definition.type, verdict, startedAt);
      await carryOut(verdict, message);
    } finally {
      held.delete(message);
      look();
    }
  }

  /** Takes due messages and sets the timer of the next poll. */
  async function takeDue(): Promise<void> {
    while (!stopped && held.size < prefetch) {
      const messages = await work.claim(queue, prefetch - held.size, deps.newId(), visibilityMs);
      for (const message of messages) {
        held.add(message);
        running.run(() => handle(message));
      }
      if (messages.length === 0) {
        setAlarm(Math.min(deps.pollMs, (await work.nextDueMs(queue)) ?? deps.pollMs));
        return;
      }
    }
  }

  function setAlarm(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(look, Math.ceil(ms));
  }

  function look(): void {
    if (looking !== null) {
      checkAgain = true;
      return;
    }
    if (stopped) return;
    looking = takeDue()
      .catch((error) => {
        logger.info({ error: messageOf(error) }, 'the queue could not be read, trying again');
        setAlarm(retryClaimMs);
      })
      .finally(() => {
        looking = null;
        if (checkAgain) {
          checkAgain = false;
          look();
        }
      });
  }

  const renewal = setInterval(() => {
    if (held.size === 0) return;
    work
      .extend([...held], visibilityMs)
      .catch((error) => logger.info({ error: messageOf(error) }, 'messages at work could not be kept hidden'));
  }, visibilityMs / 3);
  renewal.unref();

  const off = deps.listener.on('work', ({ name }) => name === queue && look());
  const detach = await deps.listener.attach(async () => look());
  look();

  function abandon(): void {
    stopped = true;
    off();
    detach();
    clearTimeout(timer);
    clearInterval(renewal);
  }

  return {
    abandon,
    async stop() {
      stopped = true;
      off();
      detach();
      clearTimeout(timer);
      await looking;
      await running.idle();
      clearInterval(renewal);
    },
  };
}

/** Short failures of the database must not cause a second delivery. */
async function settle(statement: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await statement();
      return;
    } catch (error) {
      if (tries === settleTries) throw error;
      await sleep(100 * 4 ** (tries - 1));
    }
  }
}
