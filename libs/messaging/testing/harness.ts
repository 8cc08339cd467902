import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
import type { Logger } from '#libs/domain';
import type { Envelope, MessageBus, MessageDefinition, Verdict } from '#libs/messaging';
import type { TcpProxy } from '../../../tests/tcp-proxy.ts';

export interface HarnessBusOptions {
  catalogue?: readonly MessageDefinition[];
  publishTimeoutMs?: number;
  newerVersionMs?: number;
  logger?: Logger;
  /**
   * Its messages return soon after it dies, where that is a matter of time. A process that stands still for a second
   * then has messages twice, so other buses of a suite keep theirs for longer than any pause.
   */
  losesMessagesSoon?: boolean;
}

/** A message that no bus has sent. */
export interface ForeignMessage {
  /** JSON. */
  content: string;
  /** Its time of publishing, in any form. The present when absent. */
  publishedAt?: number;
}

/** Means of an adapter for the contract suite: buses that share one empty set of queues. */
export interface BusHarness {
  /** Another bus on the same queues, as another process would have it. */
  createBus(options?: HarnessBusOptions): Promise<MessageBus>;
  /** Puts a message into the queue of the tasks as a stranger may, past all checks. */
  plant(message: ForeignMessage): Promise<void>;
  /** Stands between the buses and their server. */
  proxy: TcpProxy;
  /** Closes all buses and removes the queues. */
  dispose(): Promise<void>;
}

export type CreateHarness = (catalogue: readonly MessageDefinition[]) => Promise<BusHarness>;

/** Queues and a bus of the test that runs. */
export interface HarnessOfTest {
  readonly harness: BusHarness;
  readonly bus: MessageBus;
}

/**
 * Gives each test of a `describe` empty queues of `definition` and a bus on them. Both end with the test.
 * @param options of the bus
 */
export function useHarness(
  createHarness: CreateHarness,
  definition: MessageDefinition = taskDefinition(),
  options: HarnessBusOptions = {},
): HarnessOfTest {
  const here: { harness?: BusHarness; bus?: MessageBus } = {};
  beforeEach(async () => {
    here.harness = await createHarness([definition]);
    here.bus = await here.harness.createBus(options);
  });
  afterEach(() => here.harness?.dispose());
  return here as HarnessOfTest;
}

/** A promise that a handler waits for until the test calls `release`. */
export function createHold(): { released: Promise<void>; release(): void } {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release: () => release() };
}

/**
 * Consumes the tasks, acknowledges each, and returns the growing list of their envelopes.
 * @param prefetch default: one at a time
 */
export async function collectTasks(bus: MessageBus, prefetch = 1): Promise<Envelope[]> {
  const received: Envelope[] = [];
  const note = async (envelope: Envelope): Promise<Verdict> => {
    received.push(envelope);
    return ack;
  };
  await bus.consume('task.run', note, { prefetch });
  return received;
}

/** A consumer with a separate bus that never finishes a task. */
export interface DyingConsumer {
  hasTask(): boolean;
  /** Closes the bus with the task in hand. */
  die(): Promise<void>;
}

/** Starts a consumer that dies with a task in hand. The task returns to the queue soon after. */
export async function startDyingConsumer(harness: BusHarness): Promise<DyingConsumer> {
  const bus = await harness.createBus({ losesMessagesSoon: true });
  let hasTask = false;
  const neverFinish = (): Promise<never> => {
    hasTask = true;
    return new Promise(() => undefined);
  };
  await bus.consume('task.run', neverFinish, { prefetch: 1 });
  return { hasTask: () => hasTask, die: () => bus.close() };
}

/** Whether the bus reaches its server. */
export function isUsable(bus: MessageBus): Promise<boolean> {
  return bus.probe().then(
    () => true,
    () => false,
  );
}

export const ack: Verdict = { kind: 'ack' };

/** The message type of the suite: short back-offs, three deliveries. */
export function taskDefinition(changes: Partial<MessageDefinition> = {}): MessageDefinition {
  const version = changes.version ?? 1;
  return {
    type: 'task.run',
    version,
    queue: 'worker.task.run',
    deliveryLimit: 3,
    retrySeconds: [0.1, 0.3],
    description: 'A task of the contract suite.',
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      required: ['schema', 'number'],
      properties: { schema: { const: `task.run/${version}` }, number: { type: 'integer', minimum: 0 } },
    },
    ...changes,
  };
}

export function task(number: number, version = 1): Envelope {
  return {
    messageId: randomUUID(),
    type: 'task.run',
    body: { schema: `task.run/${version}`, number },
    correlationId: `req-${number}`,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    attempt: 0,
    timestamp: new Date().toISOString(),
  };
}

export function numberOf(envelope: Envelope): number {
  return Number(envelope.body.number);
}

/** Polls until `holds` returns true. @throws Error naming `what` after `timeoutMs`. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await sleep(10);
  }
}

/** Publishes as the outbox relay does: unstored messages are sent again until they are stored. */
export async function publishAll(bus: MessageBus, envelopes: Envelope[]): Promise<void> {
  let left = envelopes;
  const deadline = Date.now() + 60_000;
  while (left.length > 0) {
    const results = await bus.publish(left);
    left = left.filter((_, index) => results[index] !== true);
    if (Date.now() > deadline) throw new Error(`not stored: ${JSON.stringify(results)}`);
    if (left.length > 0) await sleep(50);
  }
}
