import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { BusUnavailableError, type MessageBus, RequestTimeoutError } from '#libs/messaging';
import {
  ack,
  type BusHarness,
  type CreateHarness,
  numberOf,
  publishAll,
  task,
  taskDefinition,
  until,
} from './harness.ts';

/** Tests of connections to the server that break. */
export function describeFailures(createHarness: CreateHarness): void {
  describe('a broken connection', () => {
    let harness: BusHarness;
    let bus: MessageBus;
    beforeEach(async () => {
      harness = await createHarness([taskDefinition({ deliveryLimit: 50 })]);
      bus = await harness.createBus({ losesMessagesSoon: true });
    });
    afterEach(() => harness.dispose());

    it('loses no message when it is cut again and again', async () => {
      const seen = new Set<number>();
      await bus.consume(
        'task.run',
        async (envelope) => {
          await sleep(1);
          seen.add(numberOf(envelope));
          return ack;
        },
        { prefetch: 8 },
      );
      const numbers = Array.from({ length: 200 }, (_, number) => number);
      for (let start = 0; start < numbers.length; start += 40) {
        const publishing = publishAll(
          bus,
          numbers.slice(start, start + 40).map((number) => task(number)),
        );
        await sleep(3);
        harness.proxy.cut();
        await publishing;
      }
      await until('all', () => seen.size === numbers.length);
      expect(await bus.deadLetters(10)).toEqual([]);
    });

    it('rejects with a reason while it is down, and recovers completely', async () => {
      const seen: number[] = [];
      const heard: JsonObject[] = [];
      await bus.consume(
        'task.run',
        async (envelope) => {
          seen.push(numberOf(envelope));
          return ack;
        },
        { prefetch: 1 },
      );
      await bus.subscribe('news', (body) => heard.push(body));
      await bus.respond('ping', async () => ({ pong: true }));
      await bus.broadcast('news', { before: true });
      await until('first broadcast', () => heard.length === 1);

      await harness.proxy.refuse();
      const [result] = await bus.publish([task(1)]);
      expect(result).toEqual(expect.any(String));
      expect(result).not.toMatch(/guest|password/);
      await expect(bus.probe()).rejects.toThrow(BusUnavailableError);
      await expect(bus.broadcast('news', {})).rejects.toThrow(BusUnavailableError);
      await expect(bus.request('ping', {}, { timeoutMs: 2000 })).rejects.toThrow();
      await harness.proxy.accept();

      await publishAll(bus, [task(2)]);
      await until('delivery', () => seen.includes(2));
      await until('probe', () =>
        bus.probe().then(
          () => true,
          () => false,
        ),
      );
      await until('an answer', () =>
        bus.request('ping', {}, { timeoutMs: 1000 }).then(
          () => true,
          () => false,
        ),
      );
      await bus.broadcast('news', { after: true });
      await until('second broadcast', () => heard.length === 2);
      expect(heard[1]).toEqual({ after: true });
    });

    it('does not wait for ever when the server falls silent', async () => {
      const hasty = await harness.createBus({ publishTimeoutMs: 400 });
      harness.proxy.freeze();
      const [result] = await hasty.publish([task(1)]);
      expect(result).toMatch(/within 400 ms/);
      await expect(hasty.request('ping', {}, { timeoutMs: 300 })).rejects.toThrow(RequestTimeoutError);
      harness.proxy.resume();
      await publishAll(hasty, [task(2)]);
    });

    it('delivers a message again that was in hand when the connection broke', async () => {
      const attempts: number[] = [];
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await bus.consume(
        'task.run',
        async ({ attempt }) => {
          attempts.push(attempt);
          if (attempt === 0) await released;
          return ack;
        },
        { prefetch: 1 },
      );
      await publishAll(bus, [task(1)]);
      await until('first delivery', () => attempts.length === 1);
      await harness.proxy.refuse();
      await sleep(100);
      await harness.proxy.accept();
      await sleep(1200);
      release();
      await publishAll(bus, [task(2)]);
      await until('the queue continues', () => attempts.length >= 2);
      await until('and is empty', async () => (await bus.deadLetters(1)).length === 0);
    });
  });
}
