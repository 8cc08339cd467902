import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Logger } from '#libs/domain';
import type { Envelope } from '#libs/messaging';
import { createOutboxRelay, type OutboxRelay } from './outbox-relay.ts';
import type { OutboxQueue, OutboxRow } from './work-contract.ts';

let rows: OutboxRow[];
let wake: () => void;
let listening: number;
let databaseDown: boolean;
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
});

/** A queue in memory; failed rows are due again at once. */
const outboxQueue: OutboxQueue = {
  async drain(limit, publish) {
    if (databaseDown) throw new Error('database gone');
    const batch = rows.slice(0, limit);
    if (batch.length === 0) return 0;
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

const bus = {
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
  databaseDown = false;
  brokerDown = false;
  sent = [];
  logged = [];
  relay = createOutboxRelay({ outboxQueue, bus, logger, clock: { now: () => 1_000 } });
});

afterEach(() => relay.stop());

const sentIds = () => sent.map((envelope) => envelope.body.id);

test('what waits at the start is sent in batches, in order, as envelopes', async () => {
  rows = Array.from({ length: 250 }, (_, place) => row(place + 1));
  relay.start();
  await vi.waitFor(() => expect(rows).toEqual([]), { timeout: 900 });
  expect(sentIds()).toEqual(Array.from({ length: 250 }, (_, place) => place + 1));
  expect(sent[0]).toEqual({
    messageId: 'event-1',
    type: 'plan.launch',
    body: { id: 1 },
    correlationId: 'req-1',
    attempt: 0,
    timestamp: '1970-01-01T00:00:01.000Z',
  });
  expect(sent[1]?.correlationId).toBeNull();
});

test('a new row is sent when told, and without being told within a second or so', async () => {
  relay.start();
  await vi.waitFor(() => expect(listening).toBe(1));
  await sleep(20);
  rows.push(row(1));
  wake();
  await vi.waitFor(() => expect(sentIds()).toEqual([1]), { timeout: 500 });
  rows.push(row(2));
  await vi.waitFor(() => expect(sentIds()).toEqual([1, 2]), { timeout: 1_500 });
});

test('an outage of the broker or the database is outlived and logged once', async () => {
  const counts = { published: 0, failed: 0 };
  relay = createOutboxRelay({
    outboxQueue,
    bus,
    logger,
    clock: { now: () => 0 },
    metrics: {
      published: (count) => {
        counts.published += count;
      },
      failed: (count) => {
        counts.failed += count;
      },
    },
  });
  rows.push(row(1));
  brokerDown = true;
  relay.start();
  await vi.waitFor(() => expect(counts.failed).toBe(1));
  wake();
  await vi.waitFor(() => expect(counts.failed).toBe(2));
  databaseDown = true;
  wake();
  await sleep(30);
  brokerDown = false;
  databaseDown = false;
  wake();
  await vi.waitFor(() => expect(sentIds()).toEqual([1]));
  expect(counts.published).toBe(1);
  expect(logged).toEqual(['outbox messages can not be sent', 'outbox messages are sent again']);
});

test('a relay that can not listen polls', async () => {
  databaseDown = true;
  relay.start();
  await sleep(20);
  databaseDown = false;
  rows.push(row(1));
  await vi.waitFor(() => expect(sentIds()).toEqual([1]), { timeout: 1_500 });
  expect(listening).toBe(0);
});

test('stop waits for the batch under way, ends listening, and is quick', async () => {
  let confirm: () => void = () => {};
  const slow = {
    publish: (envelopes: Envelope[]) =>
      new Promise<true[]>((resolve) => {
        confirm = () => resolve(envelopes.map((): true => true));
      }),
  };
  relay = createOutboxRelay({ outboxQueue, bus: slow, logger, clock: { now: () => 0 } });
  rows.push(row(1));
  relay.start();
  await vi.waitFor(() => expect(listening).toBe(1));
  await sleep(20);
  let stopped = false;
  const stopping = relay.stop().then(() => {
    stopped = true;
  });
  await sleep(20);
  expect(stopped).toBe(false);
  confirm();
  await stopping;
  expect(rows).toEqual([]);
  expect(listening).toBe(0);
  await relay.stop();
});
