import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Logger } from '#libs/domain';
import type { Envelope } from '#libs/messaging';
import type { OutboxQueue, OutboxRow } from './outbox-queue.ts';
import { createOutboxRelay, type OutboxRelay, type OutboxRelayDeps } from './outbox-relay.ts';

let rows: OutboxRow[];
let wake: () => void;
let listening: number;
/** Reads of the queue without rows. */
let emptyReads: number;
let databaseDown: boolean;
/** Failed reads of the queue. */
let outages: number;
let brokerDown: boolean;
let sent: Envelope[];
let logged: string[];
let relay: OutboxRelay;

const row = (id: number): OutboxRow => ({
  id,
  eventId: `event-${id}`,
  type: 'plan.launch',
  body: { id },
  requestId: id === 1 ? 'req-1' : undefined,
  createdAt: new Date(0),
  attempts: 0,
  traceparent: id === 1 ? '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' : null,
});

/** A queue in memory. Failed rows are due again immediately. */
const outboxQueue: OutboxQueue = {
  async drain(limit, publish) {
    if (databaseDown) {
      outages += 1;
      throw new Error('database gone');
    }
    const batch = rows.slice(0, limit);
    if (batch.length === 0) {
      emptyReads += 1;
      return 0;
    }
    const results = await publish(batch);
    rows = rows.filter((candidate) => results[batch.indexOf(candidate)] !== true);
    return batch.length;
  },
  async onAdded(callback) {
    if (databaseDown) throw new Error('database gone');
    wake = callback;
    listening += 1;
    return async () => {
      listening -= 1;
    };
  },
  backlog: async () => ({ count: rows.length, oldestSeconds: 0 }),
  prune: async () => 0,
};

/** Polls only after a hint, unless the test sets an interval. */
function start(changes: Partial<OutboxRelayDeps> = {}): void {
  relay = createOutboxRelay({ outboxQueue, bus, logger, clock: { now: () => 1_000 }, pollMs: 3_600_000, ...changes });
  relay.start();
}

const bus = {
  system: 'postgresql' as const,
  async publish(envelopes: Envelope[]) {
    if (brokerDown) throw new Error('no connection');
    sent.push(...envelopes);
    return envelopes.map((): true => true);
  },
};

const logger: Logger = {
  debug() {},
  info: (_fields, message) => void logged.push(message),
  warn: (_fields, message) => void logged.push(message),
  error: (_fields, message) => void logged.push(message),
  child: () => logger,
};

beforeEach(() => {
  rows = [];
  wake = () => {};
  listening = 0;
  emptyReads = 0;
  databaseDown = false;
  outages = 0;
  brokerDown = false;
  sent = [];
  logged = [];
});

afterEach(() => relay.stop());

const sentIds = () => sent.map((envelope) => envelope.body.id);

test('waiting messages are sent at the start in batches, in order, as envelopes', async () => {
  rows = Array.from({ length: 250 }, (_, place) => row(place + 1));
  start();
  await expect.poll(() => rows).toEqual([]);
  expect(sentIds()).toEqual(Array.from({ length: 250 }, (_, place) => place + 1));
  expect(sent[0]).toEqual({
    messageId: 'event-1',
    type: 'plan.launch',
    body: { id: 1 },
    correlationId: 'req-1',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    attempt: 0,
    timestamp: '1970-01-01T00:00:01.000Z',
  });
  expect(sent[1]?.correlationId).toBeNull();
});

test('a new row is sent on notification, independent of the poll interval', async () => {
  start();
  await expect.poll(() => listening).toBe(1);
  // The relay then waits for the next poll. Only the call ends that.
  await expect.poll(() => emptyReads).toBe(1);
  rows.push(row(1));
  wake();
  await expect.poll(sentIds).toEqual([1]);
});

test('a new row without a notification is sent at the next poll', async () => {
  start({ pollMs: 20 });
  await expect.poll(() => listening).toBe(1);
  rows.push(row(1));
  await expect.poll(sentIds).toEqual([1]);
});

test('the relay survives an outage of the broker or the database, and logs it once', async () => {
  const counts = { published: 0, failed: 0 };
  rows.push(row(1));
  brokerDown = true;
  start({
    metrics: {
      published: (count) => {
        counts.published += count;
      },
      failed: (count) => {
        counts.failed += count;
      },
    },
  });
  await expect.poll(() => counts.failed).toBe(1);
  wake();
  await expect.poll(() => counts.failed).toBe(2);
  databaseDown = true;
  wake();
  await expect.poll(() => outages).toBe(1);
  brokerDown = false;
  databaseDown = false;
  wake();
  await expect.poll(sentIds).toEqual([1]);
  await relay.stop();
  expect(counts).toEqual({ published: 1, failed: 2 });
  expect(logged).toEqual(['cannot send outbox messages, retrying', 'sending of outbox messages resumed']);
});

test('a relay without notifications polls', async () => {
  databaseDown = true;
  start({ pollMs: 20 });
  await expect.poll(() => logged).toContain('no notifications of new outbox messages; polling only');
  databaseDown = false;
  rows.push(row(1));
  await expect.poll(sentIds).toEqual([1]);
  expect(listening).toBe(0);
});

test('stop waits for the running batch and stops listening', async () => {
  let confirm: (() => void) | null = null;
  const slow = {
    system: bus.system,
    publish: (envelopes: Envelope[]) =>
      new Promise<true[]>((resolve) => {
        confirm = () => resolve(envelopes.map((): true => true));
      }),
  };
  rows.push(row(1));
  start({ bus: slow });
  await expect.poll(() => confirm).toBeTypeOf('function');
  let stopped = false;
  const stopping = relay.stop().then(() => {
    stopped = true;
  });
  await turn();
  expect(stopped).toBe(false);
  (confirm as unknown as () => void)();
  await stopping;
  expect(rows).toEqual([]);
  expect(listening).toBe(0);
  await relay.stop();
});
