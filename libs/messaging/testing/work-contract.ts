import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '#libs/domain';
import {
  ack,
  type CreateHarness,
  collectTasks,
  createHold,
  type HarnessOfTest,
  numberOf,
  publishAll,
  startDyingConsumer,
  task,
  until,
  useHarness,
} from './harness.ts';

/** Work messages: publishing, delivery, retries, dead letters. */
export function describeWork(createHarness: CreateHarness): void {
  describe('work messages', () => {
    const here = useHarness(createHarness);

    testPublishing(here);
    testDeaths(here);
    testRetries(here);
    testOrder(here);
    testSharing(here);
  });
}

/** Messages that are published, and those that are not. */
function testPublishing(here: HarnessOfTest): void {
  it('delivers published messages unchanged', async () => {
    const sent = {
      ...task(7),
      body: { schema: 'task.run/1', number: 7, text: 'grüße "\\ \u{1f600}', list: [1, null] },
    };
    const marker = task(8);
    expect(await here.bus.publish([sent])).toEqual([true]);
    const received = await collectTasks(here.bus);
    await until('delivery', () => received.length === 1);
    await publishAll(here.bus, [marker]);
    await until('delivery of the marker', () => received.length > 1);
    expect(received).toEqual([sent, marker]);
  });

  it('reports for each message why it was not stored', async () => {
    const unknown = { ...task(1), type: 'task.unknown' };
    const invalid = { ...task(1), body: { schema: 'task.run/1', number: -1 } };
    const results = await here.bus.publish([unknown, task(2), invalid]);
    expect(results[0]).toMatch(/no message type task\.unknown/);
    expect(results[1]).toBe(true);
    expect(results[2]).toMatch(/body\/number must be >= 0/);
    await expect(here.bus.consume('task.unknown', async () => ack, { prefetch: 1 })).rejects.toThrow(InvalidInputError);
  });
}

/** Consumers that die with a message in hand. */
function testDeaths(here: HarnessOfTest): void {
  it('delivers again when the consumer dies with the message in hand', async () => {
    const dying = await startDyingConsumer(here.harness);
    await publishAll(here.bus, [task(1)]);
    await until('first delivery', dying.hasTask);
    await dying.die();
    const received = await collectTasks(here.bus);
    await until('second delivery', () => received.length > 0);
    expect(received.map(({ attempt }) => attempt)).toEqual([1]);
  });

  it('buries a message whose consumers die as often as the delivery limit allows', async () => {
    await publishAll(here.bus, [task(9)]);
    for (let delivery = 0; delivery < 3; delivery += 1) {
      const dying = await startDyingConsumer(here.harness);
      await until(`delivery ${delivery}`, dying.hasTask);
      await dying.die();
    }
    const received = await collectTasks(here.bus);
    await until('dead letter', async () => (await here.bus.deadLetters(10)).length === 1);
    const [dead] = await here.bus.deadLetters(10);
    expect(dead?.reason).toMatch(/delivery limit 3 reached/);
    expect(received).toEqual([]);
  });
}

/** Retries after the back-off, up to the delivery limit. */
function testRetries(here: HarnessOfTest): void {
  it('retries after the back-off and delivers others in between', async () => {
    const seen: { number: number; attempt: number; at: number }[] = [];
    await here.bus.consume(
      'task.run',
      async (envelope) => {
        seen.push({ number: numberOf(envelope), attempt: envelope.attempt, at: performance.now() });
        if (numberOf(envelope) === 1 && envelope.attempt < 2) return { kind: 'retry', reason: 'not yet' };
        return ack;
      },
      { prefetch: 1 },
    );
    await publishAll(here.bus, [task(1), task(2)]);
    await until('four deliveries', () => seen.length === 4);
    const failing = seen.filter(({ number }) => number === 1);
    expect(failing.map(({ attempt }) => attempt)).toEqual([0, 1, 2]);
    expect(failing[1]!.at - failing[0]!.at).toBeGreaterThan(95);
    expect(failing[2]!.at - failing[1]!.at).toBeGreaterThan(290);
    // Right after the first attempt, or one later when this process stood still for as long as the back-off.
    expect(seen.findIndex(({ number }) => number === 2)).toBeLessThan(3);
    expect(await here.bus.deadLetters(10)).toEqual([]);
  });

  it('buries with the last reason when the delivery limit is reached', async () => {
    let deliveries = 0;
    await here.bus.consume(
      'task.run',
      async () => {
        deliveries += 1;
        throw new Error(`failure ${deliveries}`);
      },
      { prefetch: 1 },
    );
    const sent = task(5);
    await publishAll(here.bus, [sent]);
    await until('dead letter', async () => (await here.bus.deadLetters(10)).length === 1);
    const [dead] = await here.bus.deadLetters(10);
    expect(deliveries).toBe(3);
    expect(dead).toMatchObject({
      envelope: { messageId: sent.messageId, type: 'task.run', body: sent.body, correlationId: 'req-5', attempt: 2 },
      queue: expect.stringMatching(/\.worker\.task\.run$/),
      reason: 'delivery limit 3 reached: failure 3',
    });
    expect(Math.abs(Date.parse(dead!.at) - Date.now())).toBeLessThan(60_000);
  });
}

/** Order and number of the handlers of one consumer. */
function testOrder(here: HarnessOfTest): void {
  it('keeps the order of publishing with one handler at a time', async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    const seen: number[] = [];
    await here.bus.consume(
      'task.run',
      async (envelope) => {
        for (let turns = numberOf(envelope) % 3; turns > 0; turns -= 1) await turn();
        seen.push(numberOf(envelope));
        return ack;
      },
      { prefetch: 1 },
    );
    for (let start = 0; start < numbers.length; start += 20) {
      await publishAll(
        here.bus,
        numbers.slice(start, start + 20).map((number) => task(number)),
      );
    }
    await until('all', () => seen.length === numbers.length);
    expect(seen).toEqual(numbers);
  });

  it('runs as many handlers as prefetch allows and no more', async () => {
    const { released, release } = createHold();
    let started = 0;
    let ended = 0;
    await here.bus.consume(
      'task.run',
      async () => {
        started += 1;
        await released;
        ended += 1;
        return ack;
      },
      { prefetch: 4 },
    );
    await publishAll(
      here.bus,
      Array.from({ length: 24 }, (_, number) => task(number)),
    );
    await until('as many at once as allowed', () => started >= 4);
    // Another process receives all other messages while these handlers run.
    const others = await collectTasks(await here.harness.createBus());
    await until('the others', () => others.length === 20);
    expect(started).toBe(4);
    release();
    await until('all', () => ended === 4);
  });
}

/** Several consumers, consumers that stop, and times without one. */
function testSharing(here: HarnessOfTest): void {
  it('shares a queue between consumers, each message once', async () => {
    const other = await here.harness.createBus();
    const seen: [string, number][] = [];
    for (const [name, consumerBus] of [
      ['a', here.bus],
      ['b', other],
    ] as const) {
      await consumerBus.consume(
        'task.run',
        async (envelope) => {
          seen.push([name, numberOf(envelope)]);
          await until('both consumers', () => new Set(seen.map(([each]) => each)).size === 2);
          return ack;
        },
        { prefetch: 2 },
      );
    }
    await publishAll(
      here.bus,
      Array.from({ length: 40 }, (_, number) => task(number)),
    );
    await until('all', () => seen.length >= 40);
    await publishAll(here.bus, [task(40)]);
    await until('the marker', () => seen.some(([, number]) => number === 40));
    expect(seen.map(([, number]) => number).sort((a, b) => a - b)).toEqual(Array.from({ length: 41 }, (_, n) => n));
    expect(new Set(seen.map(([name]) => name))).toEqual(new Set(['a', 'b']));
  });

  it('waits for running handlers when a consumer stops, and leaves the rest to others', async () => {
    const finished: number[] = [];
    const { released, release } = createHold();
    let started = 0;
    const consumer = await here.bus.consume(
      'task.run',
      async (envelope) => {
        started += 1;
        await released;
        finished.push(numberOf(envelope));
        return ack;
      },
      { prefetch: 1 },
    );
    await publishAll(here.bus, [task(1), task(2)]);
    await until('start', () => started === 1);
    let hasStopped = false;
    const stopping = consumer.stop().then(() => {
      hasStopped = true;
    });
    await here.bus.probe();
    expect(hasStopped).toBe(false);
    release();
    await stopping;
    expect(finished).toEqual([1]);
    const rest = await collectTasks(here.bus);
    await until('the rest', () => rest.length === 1);
    expect(rest.map(numberOf)).toEqual([2]);
    expect(started).toBe(1);
  });

  it('keeps messages while no process runs', async () => {
    await publishAll(here.bus, [task(1), task(2)]);
    await here.bus.close();
    expect(await here.bus.publish([task(3)])).toEqual([expect.stringMatching(/closed/)]);
    const later = await here.harness.createBus();
    const seen = await collectTasks(later);
    await until('both', () => seen.length === 2);
    expect(seen.map(numberOf)).toEqual([1, 2]);
  });
}
